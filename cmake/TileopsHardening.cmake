# What makes an error in the library harder to exploit, at no measurable cost:
#   everything      branch protection: CET (-fcf-protection) on x86, -mbranch-protection on AArch64.
#                   It marks the entries of functions, and loops have none.
#   not kernels     stack protector and checked libc calls (_FORTIFY_SOURCE). Kernels parse nothing
#                   and call no libc function; they run on sizes that have been checked before, and
#                   their arrays of lanes on the stack, indexed by constants, would be guarded in
#                   every call.
#   linking         all relocations are done at load time and read-only afterwards.
# tests/install/run.sh looks at what came out of linking and of the stack protector.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)
option(TILEOPS_HARDENING "Compile and link with stack protector, _FORTIFY_SOURCE, CET and full RELRO" ON)

set(TILEOPS_HARDENING_ALL "")      # compile options of everything
set(TILEOPS_HARDENING_OPTIONS "")  # compile options of all but the kernels
set(TILEOPS_HARDENING_LINK "")     # link options of libraries and programs

if(TILEOPS_HARDENING AND NOT TILEOPS_SANITIZE)  # sanitizers check more, and intercept the same calls
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    set(_branches -fcf-protection=full)
  else()
    set(_branches -mbranch-protection=standard)
  endif()
  check_cxx_compiler_flag(${_branches} TILEOPS_HAVE_BRANCH_PROTECTION)
  if(TILEOPS_HAVE_BRANCH_PROTECTION)
    list(APPEND TILEOPS_HARDENING_ALL ${_branches})
  endif()
  # Fortification needs optimisation. Some distributions define it already, with another value.
  set(_optimised "$<CONFIG:Release,RelWithDebInfo,MinSizeRel>")
  list(APPEND TILEOPS_HARDENING_OPTIONS -fstack-protector-strong
       "$<${_optimised}:-U_FORTIFY_SOURCE>" "$<${_optimised}:-D_FORTIFY_SOURCE=2>")
  list(APPEND TILEOPS_HARDENING_LINK "LINKER:-z,relro" "LINKER:-z,now" "LINKER:-z,noexecstack")
  check_pie_supported(LANGUAGES CXX)
endif()
