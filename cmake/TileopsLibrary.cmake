# The library. Sources are found by folder, so that adding a file changes nothing here. They are
# compiled once, as object libraries, from which these are linked:
#   tileops           libtileops.so                                     (tileops::tileops)
#   tileops_static    libtileops.a, with TILEOPS_STATIC                 (tileops::tileops_static)
#   tileops_internal  for unit tests of what the shared library hides; src/ is on its include path
find_package(Threads REQUIRED)
if(TILEOPS_THREADS STREQUAL "tbb")
  find_package(TBB REQUIRED)
endif()
include(TileopsHardening)

# Floating point means what the source says on every compiler: no contraction into fma. The two
# relaxations change no result; they let sqrt and conditional code vectorise.
set(TILEOPS_COMPILE_OPTIONS -fopenmp-simd -ffp-contract=off -fno-math-errno -fno-trapping-math
    -fvisibility=hidden -fvisibility-inlines-hidden -Wall -Wextra)
set(TILEOPS_KERNEL_OPTIONS -fno-exceptions -fno-rtti)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # It is not ours that std::stable_sort of libstdc++ 12 calls what that library deprecates. And loops that Clang leaves
  # alone are no mistake.
  list(APPEND TILEOPS_COMPILE_OPTIONS -Wno-deprecated-declarations)
  list(APPEND TILEOPS_KERNEL_OPTIONS -Wno-pass-failed)
else()
  # g++ 12 warns of uninitialised variables inside its own AVX-512 header.
  list(APPEND TILEOPS_KERNEL_OPTIONS -Wno-maybe-uninitialized -Wno-uninitialized)
endif()

# Short loops, whose speed would depend on what is linked before them: with load_tile 16 bytes behind the
# begin of a line, adding two transposed matrices of 64 Ki f32 takes 50 us on a Zen 4, and 34 otherwise.
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/cpu/isa/memory.cc" PROPERTIES
                            COMPILE_OPTIONS "-falign-functions=64;-falign-loops=64")

include(CheckCXXCompilerFlag)

# Instruction sets of the CPU: name and the compiler's options, the better ones later. src/cpu/isa.cc says which of them a
# processor runs.
macro(tileops_isa name)
  list(APPEND TILEOPS_KNOWN_ISAS ${name})
  set(TILEOPS_ISA_OPTIONS_${name} ${ARGN})
endmacro()
set(TILEOPS_KNOWN_ISAS "")
# Without AVX g++ 12 spills a register to one of MMX now and then, which are those of x87: a program's next long double is NaN.
set(_no_mmx "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(_no_mmx -mno-mmx)
endif()
tileops_isa(baseline ${_no_mmx})
# GCC copies arrays and structures in 16 bytes otherwise, also of vectors on the stack, and a load of a whole vector waits
# until all of its stores have gone to L1 (variances of 64 Ki f32 take 1.15 times as long on a Zen 3, other sums 1.0 to 1.1).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  check_cxx_compiler_flag("-mmove-max=256 -mstore-max=256" TILEOPS_HAVE_MOVE_MAX)
endif()
set(_avx2 -mavx2 -mfma -mf16c -mbmi -mbmi2)
set(_whole_vectors "")
if(TILEOPS_HAVE_MOVE_MAX)
  set(_whole_vectors -mmove-max=256 -mstore-max=256)
endif()
tileops_isa(avx2 ${_avx2} ${_whole_vectors})
tileops_isa(avx512 ${_avx2} -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512)
tileops_isa(avx512vbmi ${TILEOPS_ISA_OPTIONS_avx512} -mavx512vbmi -mavx512vbmi2)

tileops_compile_alone(src/api/expr.cc src/api/plan.cc src/cpu/exec/each_row.cc src/cpu/exec/memory_rows.cc
  src/cuda/select/shared_stage.cc src/cuda/spec/transfers.cc src/cuda/tune.cc src/expr/nodes/bind.cc
  src/expr/nodes/host_bodies.cc src/op/dtype.cc src/store/pack.cc)

set(TILEOPS_OBJECTS "")

# Adds an object library of the sources that match the patterns (below src/), if there are any.
function(tileops_add_objects name)
  list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/src/")
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  if(NOT sources)
    return()
  endif()
  add_library(${name} OBJECT ${sources})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src"
                                             "${PROJECT_SOURCE_DIR}/include")
  target_include_directories(${name} SYSTEM PRIVATE "${TILEOPS_DLPACK_INCLUDE_DIR}")
  target_compile_definitions(${name} PRIVATE TILEOPS_BUILDING TILEOPS_OPENMP_SIMD)
  target_compile_options(${name} PRIVATE ${TILEOPS_COMPILE_OPTIONS} ${TILEOPS_HARDENING_ALL})
  if(NOT name MATCHES "_kernels_")
    target_compile_options(${name} PRIVATE ${TILEOPS_HARDENING_OPTIONS})
    # Not in kernels, whose inline functions must be of one instruction set (tests/abi/isa_symbols.py). libstdc++ and libc++.
    if(TILEOPS_ASSERTIONS OR TILEOPS_SANITIZE)
      target_compile_definitions(${name} PRIVATE _GLIBCXX_ASSERTIONS _LIBCPP_ENABLE_ASSERTIONS=1)
    endif()
  endif()
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  set(TILEOPS_OBJECTS ${TILEOPS_OBJECTS} ${name} PARENT_SCOPE)
endfunction()

tileops_add_objects(tileops_core *.cc api/*.cc base/*.cc op/*.cc problem/*.cc problem/*/*.cc plan/*.cc lower/*.cc expr/*/*.cc store/*.cc)
# Header-only use of xxHash (Debian: libxxhash-dev), for the kernel cache.
find_path(TILEOPS_XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
target_include_directories(tileops_core SYSTEM PRIVATE "${TILEOPS_XXHASH_INCLUDE_DIR}")
tileops_add_objects(tileops_cpu cpu/*.cc cpu/memory/*.cc cpu/exec/*.cc cpu/source/*.cc cpu/program/*.cc cpu/rows/*.cc cpu/threads/scratch.cc)
set(_objects ${TILEOPS_OBJECTS})  # each library takes the threads of one kind
tileops_add_objects(tileops_threads_none cpu/threads/no_threads.cc)
set_target_properties(tileops_threads_none PROPERTIES EXCLUDE_FROM_ALL ON)
if(TILEOPS_THREADS STREQUAL "tbb")
  tileops_add_objects(tileops_threads_tbb cpu/threads/threads.cc cpu/threads/stay_loaded.cc)
  target_link_libraries(tileops_threads_tbb PRIVATE TBB::tbb)
endif()
set(TILEOPS_OBJECTS ${_objects})

if(TILEOPS_CUDA)
  # The device headers and the kernel templates, as text for the run-time compiler.
  # A source package has that file, and so is built without Python.
  set(_embedded "${PROJECT_SOURCE_DIR}/embedded_kernels.cc")
  if(NOT EXISTS "${_embedded}")
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    set(_embedded "${PROJECT_BINARY_DIR}/embedded_kernels.cc")
    set(_embed "${PROJECT_SOURCE_DIR}/tools/embed_kernels.py")
    add_custom_command(
      OUTPUT "${_embedded}"
      COMMAND "${Python3_EXECUTABLE}" "${_embed}" "${_embedded}" "${PROJECT_SOURCE_DIR}/include"
              "${PROJECT_SOURCE_DIR}/src" -- cuda/kernels/elementwise.h
              cuda/kernels/rows.h cuda/kernels/columns.h
      DEPENDS "${_embed}" "${PROJECT_SOURCE_DIR}/tools/kernel_units.py" DEPFILE "${_embedded}.d" VERBATIM)
  endif()
  tileops_add_objects(tileops_cuda cuda/*.cc cuda/driver/*.cc cuda/jit/*.cc cuda/steps/*.cc cuda/spec/*.cc cuda/spec/rows/*.cc cuda/select/*.cc cuda/select/rows/*.cc cuda/select/arguments/*.cc cuda/launch/*.cc)
  target_sources(tileops_cuda PRIVATE "${_embedded}")
  target_compile_definitions(tileops_core PRIVATE TILEOPS_HAVE_CUDA=1)
endif()

if(TILEOPS_QUICK_HOST)
  foreach(_name tileops_core tileops_cuda)
    if(TARGET ${_name})
      target_compile_options(${_name} PRIVATE -O1)
    endif()
  endforeach()
endif()

foreach(isa IN LISTS TILEOPS_CPU_ISAS)
  if(NOT isa IN_LIST TILEOPS_KNOWN_ISAS)
    message(FATAL_ERROR "TILEOPS_CPU_ISAS: unknown instruction set ${isa}")
  endif()
  if(isa STREQUAL "avx512vbmi")
    if(NOT "avx512" IN_LIST TILEOPS_CPU_ISAS)
      message(FATAL_ERROR "TILEOPS_CPU_ISAS: avx512vbmi needs avx512")
    endif()
    set(_folder vbmi)
  else()
    set(_folder isa)
  endif()
  tileops_add_objects(tileops_kernels_${isa} cpu/${_folder}/*.cc)
  if(TARGET tileops_kernels_${isa})
    target_compile_definitions(tileops_kernels_${isa} PRIVATE
                               TILEOPS_DEVICE_NS=isa_${isa} TILEOPS_ISA=${isa})
    target_compile_options(tileops_kernels_${isa} PRIVATE ${TILEOPS_KERNEL_OPTIONS}
                           ${TILEOPS_ISA_OPTIONS_${isa}})
    set_target_properties(tileops_kernels_${isa} PROPERTIES UNITY_BUILD OFF)  # they are long enough
    if(TILEOPS_SANITIZE)  # sees as much unoptimised, and is compiled in a third of the time
      target_compile_options(tileops_kernels_${isa} PRIVATE -O0)
      if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # at -O0 it takes the place before an array for one that is read
        target_compile_options(tileops_kernels_${isa} PRIVATE -Wno-stringop-overread -Wno-stringop-overflow)
      endif()
      if(TILEOPS_SANITIZE STREQUAL "fuzzer")  # they take inputs that were checked: their branches guide to no new ones
        target_compile_options(tileops_kernels_${isa} PRIVATE -fno-sanitize=fuzzer-no-link)
      endif()
    endif()
  endif()
endforeach()

set(_compiled "")  # the best one first
foreach(isa IN LISTS TILEOPS_KNOWN_ISAS)
  if(isa IN_LIST TILEOPS_CPU_ISAS)
    string(PREPEND _compiled "ISA(${isa}) ")
  endif()
endforeach()
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/cpu/isa.cc" PROPERTIES COMPILE_DEFINITIONS "TILEOPS_ISAS=${_compiled}")

if(NOT TILEOPS_OBJECTS)
  message(FATAL_ERROR "No sources found in ${PROJECT_SOURCE_DIR}/src")
endif()

# Links all objects into a library, with the threads of a kind; TBB is the one dependency at run time.
function(tileops_add_library name type threads)
  add_library(${name} ${type})
  foreach(objects IN LISTS TILEOPS_OBJECTS ITEMS tileops_threads_${threads})
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
  target_link_libraries(${name} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  if(threads STREQUAL "tbb")
    target_link_libraries(${name} PRIVATE TBB::tbb)
  endif()
  target_include_directories(${name} INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
                             "$<BUILD_INTERFACE:${TILEOPS_DLPACK_INCLUDE_DIR}>")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

# What the shared library is linked with besides.
function(tileops_link_shared name)
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${TILEOPS_SOVERSION}
                        LINK_DEPENDS "${PROJECT_SOURCE_DIR}/src/tileops.map")
  target_link_options(${name} PRIVATE "LINKER:--version-script=${PROJECT_SOURCE_DIR}/src/tileops.map"
                      ${TILEOPS_HARDENING_LINK})
  # Worker threads outlive a dlclose (src/cpu/threads/stay_loaded.cc), and so do callbacks of the CUDA driver.
  target_link_options(${name} PRIVATE "LINKER:-z,nodelete")
  if(NOT TILEOPS_SANITIZE)  # Clang leaves the sanitizers' symbols to the program
    target_link_options(${name} PRIVATE "LINKER:--no-undefined")
  endif()
endfunction()

tileops_add_library(tileops SHARED ${TILEOPS_THREADS})
add_library(tileops::tileops ALIAS tileops)
# While the major version is 0 every minor version may change the ABI, and the soname says so.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(TILEOPS_SOVERSION 0.${PROJECT_VERSION_MINOR})
else()
  set(TILEOPS_SOVERSION ${PROJECT_VERSION_MAJOR})
endif()
tileops_link_shared(tileops)

# The C++ library of this compiler: stdc++ or c++.
set(TILEOPS_CXX_LIBRARIES ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(FILTER TILEOPS_CXX_LIBRARIES INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+|c\\+\\+abi)$")
if(TILEOPS_STATIC)
  tileops_add_library(tileops_static STATIC ${TILEOPS_THREADS})
  add_library(tileops::tileops_static ALIAS tileops_static)
  # A project in C alone does not link the C++ library by itself.
  foreach(_name IN LISTS TILEOPS_CXX_LIBRARIES ITEMS m)
    target_link_libraries(tileops_static INTERFACE $<INSTALL_INTERFACE:${_name}>)
  endforeach()
  set_target_properties(tileops_static PROPERTIES OUTPUT_NAME tileops)
endif()

tileops_add_library(tileops_internal STATIC ${TILEOPS_THREADS})
set_target_properties(tileops_internal PROPERTIES EXCLUDE_FROM_ALL ON)
target_include_directories(tileops_internal INTERFACE "${PROJECT_SOURCE_DIR}/src")
