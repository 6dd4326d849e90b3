# Finds dlpack/dlpack.h, version 1.0 or newer. It is not kept in this repository. In order:
#   1. TILEOPS_DLPACK_INCLUDE_DIR: the folder that holds dlpack/dlpack.h
#   2. the system (Debian: libdlpack-dev) and CMAKE_PREFIX_PATH
#   3. the Python package apache-tvm-ffi, in .venv or of python3
#   4. a download of dmlc/dlpack v1.1, with TILEOPS_DLPACK_DOWNLOAD: nothing is fetched unasked
# Sets TILEOPS_DLPACK_INCLUDE_DIR, and TILEOPS_INSTALL_DLPACK to whether the header has to be
# installed with the library, which is so when compilers do not find it by themselves.
set(TILEOPS_DLPACK_INCLUDE_DIR "" CACHE PATH "Folder that holds dlpack/dlpack.h, version >= 1.0")

option(TILEOPS_DLPACK_DOWNLOAD "Download dlpack.h where none of version >= 1.0 is found" OFF)

# Sets `out` to "major.minor" of the header in `dir`, to "" where there is none or it is before 1.0,
# which had no DLPACK_MAJOR_VERSION.
function(_tileops_dlpack_version dir out)
  set(${out} "" PARENT_SCOPE)
  if(dir AND EXISTS "${dir}/dlpack/dlpack.h")
    file(STRINGS "${dir}/dlpack/dlpack.h" lines
         REGEX "^#define DLPACK_(MAJOR|MINOR)_VERSION [0-9]+")
    if(lines MATCHES "MAJOR_VERSION ([0-9]+).*MINOR_VERSION ([0-9]+)" AND CMAKE_MATCH_1 EQUAL 1)
      set(${out} "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

function(_tileops_dlpack_from_python out)
  set(${out} "" PARENT_SCOPE)
  foreach(python "${PROJECT_SOURCE_DIR}/.venv/bin/python3" python3)
    # find_spec does not import the package, which may not run on this machine.
    execute_process(
      COMMAND "${python}" -c
        "import importlib.util as u; print(list(u.find_spec('tvm_ffi').submodule_search_locations)[0])"
      OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed AND EXISTS "${path}/include/dlpack/dlpack.h")
      set(${out} "${path}/include" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

if(TILEOPS_DLPACK_INCLUDE_DIR)
  _tileops_dlpack_version("${TILEOPS_DLPACK_INCLUDE_DIR}" _dlpack_version)
  if(NOT _dlpack_version)
    message(FATAL_ERROR "TILEOPS_DLPACK_INCLUDE_DIR=${TILEOPS_DLPACK_INCLUDE_DIR} holds no "
                        "dlpack/dlpack.h of version 1.x")
  endif()
else()
  find_path(_dlpack_dir dlpack/dlpack.h NO_CACHE)
  _tileops_dlpack_version("${_dlpack_dir}" _dlpack_version)
  if(NOT _dlpack_version)
    _tileops_dlpack_from_python(_dlpack_dir)
    _tileops_dlpack_version("${_dlpack_dir}" _dlpack_version)
  endif()
  if(NOT _dlpack_version AND NOT TILEOPS_DLPACK_DOWNLOAD)
    message(FATAL_ERROR "No dlpack/dlpack.h of version 1.0 or newer found. One of these helps:\n"
      "  -DTILEOPS_DLPACK_INCLUDE_DIR=DIR   DIR holds dlpack/dlpack.h (https://github.com/dmlc/dlpack)\n"
      "  python3 -m pip install apache-tvm-ffi   the header is in this package\n"
      "  -DTILEOPS_DLPACK_DOWNLOAD=ON       downloads it")
  endif()
  if(NOT _dlpack_version)
    message(STATUS "No dlpack.h >= 1.0 found; downloading it (TILEOPS_DLPACK_DOWNLOAD)")
    include(FetchContent)
    # SOURCE_SUBDIR names a folder without a CMakeLists.txt: the header is all that is wanted.
    FetchContent_Declare(dlpack GIT_REPOSITORY https://github.com/dmlc/dlpack.git GIT_TAG v1.1
                         GIT_SHALLOW ON SOURCE_SUBDIR include)
    FetchContent_MakeAvailable(dlpack)
    set(_dlpack_dir "${dlpack_SOURCE_DIR}/include")
    _tileops_dlpack_version("${_dlpack_dir}" _dlpack_version)
  endif()
  if(NOT _dlpack_version)
    message(FATAL_ERROR "The download holds no dlpack.h either; set TILEOPS_DLPACK_INCLUDE_DIR")
  endif()
  get_filename_component(_dlpack_dir "${_dlpack_dir}" ABSOLUTE)  # without a slash at the end
  set_property(CACHE TILEOPS_DLPACK_INCLUDE_DIR PROPERTY VALUE "${_dlpack_dir}")
endif()
message(STATUS "DLPack ${_dlpack_version}: ${TILEOPS_DLPACK_INCLUDE_DIR}")

if(TILEOPS_DLPACK_INCLUDE_DIR IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
  set(_install_dlpack OFF)
else()
  set(_install_dlpack ON)
endif()
option(TILEOPS_INSTALL_DLPACK
       "Install dlpack.h into include/tileops/third_party, for users who have none" ${_install_dlpack})
