// What a program without a test library checks: a failure is told, counted, and ends nothing.
#pragma once

#include <cstdio>

inline int failures = 0;

#define EXPECT(condition)                                                          \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                                  \
    }                                                                              \
  } while (0)
