# The prebuilt kernels: one file for each architecture of TILEOPS_CUDA_PACK, beside the library, which
# finds it there. NVRTC needs no GPU for it.
include(TileopsNvrtc)
set(TILEOPS_CUDA_PACK "" CACHE STRING
    "Architectures to compile the standard kernels for at build time, such as 80;90;100 (six to seven \
minutes of one core each)")

add_executable(tileops_pack EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/tools/pack_kernels.cc")
target_link_libraries(tileops_pack PRIVATE tileops_internal)

if(TILEOPS_CUDA_PACK AND NOT TILEOPS_CUDA_HOME)
  message(FATAL_ERROR "TILEOPS_CUDA_PACK needs NVRTC: set TILEOPS_CUDA_HOME")
endif()
set(_packs "")
foreach(_arch IN LISTS TILEOPS_CUDA_PACK)
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
