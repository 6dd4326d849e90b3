# libtileops_device.bc: operators as LLVM bitcode for Triton, Numba and others (docs/device.md). Clang with the target NVPTX
# makes it; without one it is left out.
option(TILEOPS_DEVICE_BITCODE "Make libtileops_device.bc, where there is Clang with the target nvptx64" ON)
set(TILEOPS_DEVICE_BITCODE_CLANG "")
if(TILEOPS_DEVICE_BITCODE)
  find_program(TILEOPS_NVPTX_CLANG NAMES clang++-19 clang++-20 clang++-18 clang++-17 clang++)
  set(_why "no clang++ (option TILEOPS_NVPTX_CLANG)")
  if(TILEOPS_NVPTX_CLANG)
    execute_process(COMMAND "${TILEOPS_NVPTX_CLANG}" --print-targets OUTPUT_VARIABLE _targets ERROR_QUIET)
    set(_why "${TILEOPS_NVPTX_CLANG} has no target nvptx64")
    find_package(Python3 COMPONENTS Interpreter)
    if(_targets MATCHES "nvptx64" AND Python3_Interpreter_FOUND)
      set(TILEOPS_DEVICE_BITCODE_CLANG "${TILEOPS_NVPTX_CLANG}")
    endif()
  endif()
  if(NOT TILEOPS_DEVICE_BITCODE_CLANG)
    message(STATUS "libtileops_device.bc: left out, ${_why}")
  endif()
else()
  message(STATUS "libtileops_device.bc: left out, TILEOPS_DEVICE_BITCODE is off")
endif()
if(TILEOPS_DEVICE_BITCODE_CLANG)
  message(STATUS "libtileops_device.bc: by ${TILEOPS_DEVICE_BITCODE_CLANG}")
  set(_bitcode "${PROJECT_BINARY_DIR}/libtileops_device.bc")
  file(GLOB_RECURSE _headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/tileops/device/*.h")
  add_custom_command(
    OUTPUT "${_bitcode}"
    COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/device_bitcode.py" "${TILEOPS_DEVICE_BITCODE_CLANG}"
            "${PROJECT_SOURCE_DIR}/include" "${_bitcode}"
    DEPENDS "${PROJECT_SOURCE_DIR}/tools/device_bitcode.py" ${_headers} COMMENT "Compiling libtileops_device.bc" VERBATIM)
  add_custom_target(tileops_device_bitcode ALL DEPENDS "${_bitcode}")
  install(FILES "${_bitcode}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT dev)
endif()
