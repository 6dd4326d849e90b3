# Finds a CUDA toolkit for what needs NVRTC at build time: the prebuilt pack and the tests that compile
# kernels. The library itself needs none. In order: CUDA_HOME (cache or environment), /usr/local/cuda,
# the Python package nvidia-cuda-nvrtc in .venv. Sets TILEOPS_CUDA_HOME, "" if there is none.
set(TILEOPS_CUDA_HOME "" CACHE PATH "CUDA toolkit whose NVRTC the build and the tests use")

if(NOT TILEOPS_CUDA_HOME)
  file(GLOB _wheels "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/nvidia/cu13")
  foreach(_home "$ENV{CUDA_HOME}" /usr/local/cuda ${_wheels})
    file(GLOB _nvrtc "${_home}/lib64/libnvrtc.so.1[23]" "${_home}/lib/libnvrtc.so.1[23]")
    if(_home AND _nvrtc)
      set_property(CACHE TILEOPS_CUDA_HOME PROPERTY VALUE "${_home}")
      break()
    endif()
  endforeach()
endif()
if(TILEOPS_CUDA_HOME)
  message(STATUS "NVRTC: ${TILEOPS_CUDA_HOME}")
else()
  message(STATUS "NVRTC: none (option TILEOPS_CUDA_HOME); no prebuilt kernels, no compile tests")
endif()
