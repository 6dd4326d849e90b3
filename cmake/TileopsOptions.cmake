# Options, build type, sanitizers. What is set here holds for the tests and tools as well.
option(TILEOPS_STATIC "Also build and install libtileops.a" OFF)
option(TILEOPS_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
set(TILEOPS_TESTS all CACHE STRING "Which tests to build: all, or folders of tests/ and bindings")
option(TILEOPS_BUILD_CLI "Build the tileops command" ${PROJECT_IS_TOP_LEVEL})
option(TILEOPS_BUILD_BENCH "Build the benchmarks" OFF)
option(TILEOPS_CUDA "Build the CUDA backend; needs no toolkit: driver and compiler are opened at run time" ON)
set(TILEOPS_THREADS tbb CACHE STRING
    "Worker threads of the CPU backend: tbb (oneTBB) | none (executes run on the calling thread; no oneTBB)")
set_property(CACHE TILEOPS_THREADS PROPERTY STRINGS tbb none)
if(NOT TILEOPS_THREADS MATCHES "^(tbb|none)$")
  message(FATAL_ERROR "TILEOPS_THREADS is tbb or none (got ${TILEOPS_THREADS})")
endif()
option(TILEOPS_WERROR "Treat warnings as errors" OFF)
option(TILEOPS_ASSERTIONS "Let the C++ library check indices and iterators; always so with sanitizers" OFF)
set(TILEOPS_SANITIZE "" CACHE STRING
    "Sanitizers: address,undefined | thread | fuzzer (Clang; with address,undefined)")

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(_isas baseline avx2 avx512 avx512vbmi)  # the last one replaces kernels of the one before
else()
  set(_isas baseline)
endif()
set(TILEOPS_CPU_ISAS "${_isas}" CACHE STRING
    "Instruction sets to compile the CPU kernels for; the best one is chosen at run time")

get_property(_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(PROJECT_IS_TOP_LEVEL AND NOT _multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
  endif()
endif()

# CMAKE_UNITY_BUILD: the sources of a library or program are compiled together, a few pieces of them. Most of the time of a
# build from nothing goes into reading the same headers; after a change it takes longer. It is meant for builds that are
# made once: those of the sanitizers and within tests.
option(TILEOPS_UNITY_TESTS "Compile the tests so, and nothing else" OFF)
if(NOT DEFINED CMAKE_UNITY_BUILD_BATCH_SIZE)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)
endif()
# What plans and launches, and computes no elements, is optimised less: a build from nothing takes a seventh less time, and a plan some
# microseconds more. For builds that are made once.
option(TILEOPS_QUICK_HOST "Optimise what plans less (-O1); the kernels are the same" OFF)
# tileops_compile_alone(FILE...): paths in the repository of sources that define a name of their own that another source
# beside them has, too.
function(tileops_compile_alone)
  list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/")
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)

if(TILEOPS_WERROR)
  add_compile_options(-Werror)
endif()

if(TILEOPS_SANITIZE)
  if(TILEOPS_SANITIZE STREQUAL "fuzzer")
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      message(FATAL_ERROR "TILEOPS_SANITIZE=fuzzer needs Clang: set CMAKE_CXX_COMPILER")
    endif()
    # Instrumented, but without libFuzzer's main(); a fuzz target links -fsanitize=fuzzer itself.
    set(_flags -fsanitize=fuzzer-no-link,address,undefined)
  else()
    set(_flags -fsanitize=${TILEOPS_SANITIZE})
  endif()
  # One report is a failed test: no carrying on after undefined behaviour.
  add_compile_options(${_flags} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(${_flags})
endif()
