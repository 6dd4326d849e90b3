# Programs that need a GPU, with the emulated one: a sample of each, of what takes seconds.
if(NOT TILEOPS_CUDA_HOME)
  return()
endif()

# emulated(NAME TARGET FILTER): a test program, of which the filter says what is run.
function(emulated name target filter)
  if(NOT TARGET ${target})
    return()
  endif()
  add_test(NAME emulated.${name}
           COMMAND "${PROJECT_SOURCE_DIR}/tests/emulator/run.sh" "${PROJECT_BINARY_DIR}"
                   $<TARGET_FILE:${target}> "--gtest_filter=${filter}" --gtest_brief=1)
  set_tests_properties(emulated.${name} PROPERTIES LABELS "emulated"
                       ENVIRONMENT "CUDA_HOME=${TILEOPS_CUDA_HOME};TILEOPS_EMULATOR_RACES=1")
  add_dependencies(${target} tileops_emulated_driver)
endfunction()

emulated(launches tileops_gpu_test "Lists.*:Streams.ScalarInHostMemory")
emulated(passes tileops_gpu_rows_test "*HaveTheBitsOfPlainLoops/0:Rows.LongOnes")
emulated(expressions tileops_gpu_expression_test "*HaveTheCpusBits/0")
emulated(operators tileops_ops_test "*_gelu_bfloat16")
emulated(rows tileops_rows_test "Split.Long*:Bits.LongColumns:Scans.RowsAndColumnsInParts")
