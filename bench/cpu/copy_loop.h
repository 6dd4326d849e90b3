/* The yardstick: a loop that reads and writes as many bytes as an operator does, and nothing else.
 * A C interface, so that bench/operators/peer.py can load it as well. */
#ifndef TILEOPS_BENCH_COPY_LOOP_H_
#define TILEOPS_BENCH_COPY_LOOP_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TILEOPS_COPY_MAX_READS 4
#define TILEOPS_COPY_MAX_WRITES 3

/* What one element costs: read_bytes[i] from stream i, write_bytes to the output; each 0, 1, 2, 4
 * or 8, and streams of 0 bytes are left out. What has more than three reads or one write is an
 * expression with several results: all streams have as many bytes as the output, but for a mask,
 * whose 1 byte is the last write. */
typedef struct tileops_copy_traffic {
  const void* reads[TILEOPS_COPY_MAX_READS];
  void* write;
  void* more_writes[TILEOPS_COPY_MAX_WRITES - 1];
  int32_t read_bytes[TILEOPS_COPY_MAX_READS];
  int32_t write_bytes;
  int32_t more_write_bytes[TILEOPS_COPY_MAX_WRITES - 1];
  int32_t reserved;
  int64_t elements;
} tileops_copy_traffic;

enum { TILEOPS_COPY_PLAIN = 0, TILEOPS_COPY_STREAMING = 1 };

/* Seconds of one pass, the fastest of `batches` batches of `passes` each. The elements are shared
 * out to `threads` threads, which start before the clock does. Overwrites the outputs. 0 where there
 * is no such loop. */
double tileops_copy_measure(const tileops_copy_traffic* traffic, int32_t threads, int32_t variant,
                            int32_t batches, int32_t passes);

#ifdef __cplusplus
}
#endif

#endif /* TILEOPS_BENCH_COPY_LOOP_H_ */
