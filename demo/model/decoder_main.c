/* Runs the decoder block: decoder [--device cpu|cuda:0] [--tokens N] [--width N] [--heads N] [--cache-heads N]
 *                                 [--head-dim N] [--hidden N] [--capacity N] [--rounds N] [--fused] [--save FOLDER]
 *
 * Two runs of as many tokens, the second of which sees what the first one left in the cache. Prints plans, passes over
 * memory and bytes of each step, and times beside the same block with a plan for each operator (--fused: without that).
 * --save writes every tensor of the second run, and x and y of the first one, for decoder_check.py. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder.h"

static void print_form(const char* name, Program* p, double whole, double texts) {
  const Cost cost = program_cost(p);
  printf("  %-20s %4d %7d %10.1f %9.3f ms %10.3f ms\n", name, cost.plans, cost.passes, (double)cost.bytes * 1e-6,
         texts * 1e3, whole * 1e3);
}

int main(int argc, char** argv) {
  DecoderShape shape = {256, 0, 1024, 16, 4, 64, 2816};
  const char *device = "cpu", *folder = NULL;
  int rounds = 10, with_unfused = 1;
  const struct {
    const char* name;
    int64_t* value;
  } sizes[] = {{"--tokens", &shape.tokens},           {"--width", &shape.width},       {"--heads", &shape.heads},
               {"--cache-heads", &shape.cache_heads}, {"--head-dim", &shape.head_dim}, {"--hidden", &shape.hidden},
               {"--capacity", &shape.capacity}};
  for (int i = 1; i < argc; ++i) {
    int known = strcmp(argv[i], "--fused") == 0;
    if (known) with_unfused = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && i + 1 < argc && !known; ++k)
      if (strcmp(argv[i], sizes[k].name) == 0) known = 1, *sizes[k].value = atoll(argv[++i]);
    if (!known && i + 1 < argc) {
      known = 1;
      if (strcmp(argv[i], "--device") == 0) device = argv[++i];
      else if (strcmp(argv[i], "--save") == 0) folder = argv[++i];
      else if (strcmp(argv[i], "--rounds") == 0) rounds = atoi(argv[++i]);
      else known = 0;
    }
    if (!known) fail("decoder: what is '%s'?", argv[i]);
  }
  if (shape.capacity == 0) shape.capacity = 2 * shape.tokens;
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k)
    if (*sizes[k].value < 1) fail("decoder: %s must be positive", sizes[k].name);
  Decoder decoder;
  decoder_open(&decoder, device, shape, with_unfused);
  printf("decoder block: %lld tokens of %lld, %lld heads on %lld of %lld, hidden %lld, on %s\nproducts: %s\n",
         (long long)shape.tokens, (long long)shape.width, (long long)shape.heads, (long long)shape.cache_heads,
         (long long)shape.head_dim, (long long)shape.hidden, device, product_means(&decoder.machine));
  for (int64_t past = 0; past <= shape.tokens; past += shape.tokens) {
    decoder_tokens(&decoder, past);
    /* The fused form last: both write to the cache. */
    if (with_unfused) decoder_run(&decoder, 1);
    decoder_run(&decoder, 0);
    if (folder != NULL) {
      char part[4096];
      snprintf(part, sizeof part, "%s/%s", folder, past == 0 ? "first" : "second");
      machine_save(&decoder.machine, part);
    }
  }
  program_print(&decoder.block, rounds);

  Program* forms[2] = {&decoder.block, &decoder.unfused};
  double whole[2], texts[2];
  program_time(forms, 1 + with_unfused, kTexts, rounds, texts);
  program_time(forms, 1 + with_unfused, kTexts | kProducts, rounds, whole);
  printf("  %-20s %4s %7s %10s %12s %13s\n", "", "plans", "passes", "MB moved", "these alone", "with products");
  print_form("a plan for each text", forms[0], whole[0], texts[0]);
  if (with_unfused) print_form("for each operator", forms[1], whole[1], texts[1]);
  decoder_close(&decoder);
  return 0;
}
