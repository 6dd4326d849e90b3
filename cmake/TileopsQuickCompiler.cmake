# TILEOPS_QUICK_CXX: the compiler for builds within tests, which show that something can be built and not how fast it then is.
# Clang takes two thirds of the time that g++ takes to compile without optimising. Where there is no Clang that finds a
# C++ library, it is the compiler of this build.
set(_names "")
foreach(_version RANGE 30 14 -1)
  list(APPEND _names clang++-${_version})
endforeach()
find_program(TILEOPS_QUICK_CXX NAMES ${_names} clang++)
if(TILEOPS_QUICK_CXX)
  execute_process(COMMAND "${TILEOPS_QUICK_CXX}" -std=c++17 -fsyntax-only -include string -x c++ /dev/null
                  RESULT_VARIABLE _failed OUTPUT_QUIET ERROR_QUIET)
endif()
if(NOT TILEOPS_QUICK_CXX OR _failed)
  set(TILEOPS_QUICK_CXX "${CMAKE_CXX_COMPILER}" CACHE FILEPATH "Compiler for builds within tests" FORCE)
endif()
