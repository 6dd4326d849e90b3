/* The decoder block of demo/model behind functions that bench/decoder/peer.py calls: on a stream and on tensors of its own. */
#include <stdlib.h>

#include "decoder.h"

#define EXPORT __attribute__((visibility("default")))

/* NULL: out of memory. Whatever else is wrong ends the process with a message. */
EXPORT Decoder* decoder_library_open(const char* device, const DecoderShape* shape);
EXPORT void decoder_library_close(Decoder* decoder);
EXPORT const DLTensor* decoder_library_tensor(const Decoder* decoder, const char* name);
EXPORT void decoder_library_place(Decoder* decoder, int64_t past);
EXPORT void decoder_library_run(Decoder* decoder, int kinds, void* stream);
EXPORT void decoder_library_cost(const Decoder* decoder, Cost* cost);

Decoder* decoder_library_open(const char* device, const DecoderShape* shape) {
  Decoder* decoder = malloc(sizeof *decoder);
  if (decoder != NULL) decoder_open(decoder, device, *shape, 0);
  return decoder;
}

void decoder_library_close(Decoder* decoder) {
  decoder_close(decoder);
  free(decoder);
}

const DLTensor* decoder_library_tensor(const Decoder* decoder, const char* name) {
  const Tensor* t = machine_find(&decoder->machine, name);
  return t != NULL ? &t->dl : NULL;
}

void decoder_library_place(Decoder* decoder, int64_t past) { decoder_tokens(decoder, past); }

void decoder_library_run(Decoder* decoder, int kinds, void* stream) {
  void* own = decoder->machine.stream;
  decoder->machine.stream = stream;
  program_run(&decoder->block, kinds);
  decoder->machine.stream = own;
}

void decoder_library_cost(const Decoder* decoder, Cost* cost) { *cost = program_cost(&decoder->block); }
