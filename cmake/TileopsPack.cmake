# The prebuilt kernels: one file for each architecture of TILEOPS_CUDA_PACK, beside the library, which
# finds it there. NVRTC needs no GPU for it.
include(TileopsNvrtc)
# native: for the GPUs of this machine. A build for other machines names theirs (80;90;100), or none.
set(TILEOPS_CUDA_PACK "native" CACHE STRING
    "Architectures to compile the standard kernels for at build time, such as 80;90;100; native: those \
of this machine's GPUs; none (thirteen minutes of one core or more and 100 MB each)")

set(_archs "")
if(TILEOPS_CUDA_PACK STREQUAL "native")
  find_program(TILEOPS_NVIDIA_SMI nvidia-smi)
  if(TILEOPS_NVIDIA_SMI AND TILEOPS_CUDA_HOME)
    execute_process(COMMAND "${TILEOPS_NVIDIA_SMI}" --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE _caps RESULT_VARIABLE _failed ERROR_QUIET TIMEOUT 20)
    if(NOT _failed)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]" _archs "${_caps}")
      string(REPLACE "." "" _archs "${_archs}")
      list(REMOVE_DUPLICATES _archs)
    endif()
  endif()
elseif(NOT TILEOPS_CUDA_PACK STREQUAL "none")
  set(_archs "${TILEOPS_CUDA_PACK}")
  if(_archs AND NOT TILEOPS_CUDA_HOME)
    message(FATAL_ERROR "TILEOPS_CUDA_PACK needs NVRTC: set TILEOPS_CUDA_HOME")
  endif()
endif()
if(_archs)
  message(STATUS "Prebuilt CUDA kernels for: ${_archs}")
else()
  message(STATUS "Prebuilt CUDA kernels: none; NVRTC compiles them when they are first planned")
  if(TILEOPS_CUDA_PACK STREQUAL "native" AND TILEOPS_CUDA_HOME)
    message(STATUS "  No GPU was found here. Packing needs none: name those of the machines that this build is for, "
                   "as -DTILEOPS_CUDA_PACK=\"80;90;100\", or say none")
  endif()
endif()

# Which kernels these are, for the tests as well; and what compiles them.
add_library(tileops_standard STATIC EXCLUDE_FROM_ALL tools/pack/expressions.cc tools/pack/operands.cc
            tools/pack/operators.cc tools/pack/standard.cc)
target_include_directories(tileops_standard PUBLIC "${PROJECT_SOURCE_DIR}/tools")
target_include_directories(tileops_standard SYSTEM PUBLIC "${TILEOPS_DLPACK_INCLUDE_DIR}")
target_link_libraries(tileops_standard PUBLIC tileops_internal)
add_executable(tileops_pack EXCLUDE_FROM_ALL tools/pack/pack_kernels.cc)
target_link_libraries(tileops_pack PRIVATE tileops_standard)

set(_packs "")
foreach(_arch IN LISTS _archs)
  set(_pack "${PROJECT_BINARY_DIR}/tileops/kernels-sm_${_arch}.pack")
  add_custom_command(
    OUTPUT "${_pack}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/tileops"
    COMMAND "${CMAKE_COMMAND}" -E env "CUDA_HOME=${TILEOPS_CUDA_HOME}" $<TARGET_FILE:tileops_pack>
            ${_arch} "${_pack}"
    DEPENDS tileops_pack COMMENT "Compiling the standard kernels for sm_${_arch}" VERBATIM)
  list(APPEND _packs "${_pack}")
endforeach()
if(_packs)
  add_custom_target(tileops_packs ALL DEPENDS ${_packs})
  install(FILES ${_packs} DESTINATION "${CMAKE_INSTALL_LIBDIR}/tileops" COMPONENT runtime)
endif()
