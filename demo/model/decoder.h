/* A decoder block: attention with grouped heads over a cache, and a gated MLP, with fp8 before each product. */
#ifndef TILEOPS_DEMO_DECODER_H_
#define TILEOPS_DEMO_DECODER_H_

#include "model.h"

typedef struct DecoderShape {
  int64_t tokens;   /* T: that a run takes */
  int64_t capacity; /* S: of the cache, at least the tokens of all runs; in fp8 a multiple of 16, as all that follow */
  int64_t width;    /* D */
  int64_t heads, cache_heads, head_dim; /* H, G, d: H is a multiple of G */
  int64_t hidden;                       /* F: of the MLP */
} DecoderShape;

/* Tensors by their names: "x" and "y" of (T, D); weights, scales and what is between them as decoder.c makes them. */
typedef struct Decoder {
  DecoderShape shape;
  Machine machine;
  Program block;   /* one plan for each text */
  Program unfused; /* the same with one plan for each operator, if it was asked for */
} Decoder;

void decoder_open(Decoder* decoder, const char* device, DecoderShape shape, int with_unfused);
void decoder_close(Decoder* decoder);
/* Fills x with the tokens of a run, pseudo-random ones, which have the positions [past, past + T). */
void decoder_tokens(Decoder* decoder, int64_t past);
/* Enqueues the block, or its unfused form. */
void decoder_run(Decoder* decoder, int unfused);

#endif
