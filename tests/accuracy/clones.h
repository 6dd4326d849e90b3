// CLONES: a function compiled for several instruction sets, the best one used.
#ifndef TILEOPS_TESTS_ACCURACY_CLONES_H
#define TILEOPS_TESTS_ACCURACY_CLONES_H

#include <cstddef>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONES
#endif

#endif
