// libtileops_tvm_ffi.so: expressions as functions of TVM-FFI, for every library and language that speaks it. It is a
// side library, which nothing of the package needs: libtileops.tvm_ffi loads it.
#include <tileops/tileops.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <string>

namespace {

namespace ffi = tvm::ffi;

void check(tileops_status status) {
  if (status == TILEOPS_STATUS_OK) return;
  const std::string text = tileops_last_error();
  if (status == TILEOPS_STATUS_UNSUPPORTED) TVM_FFI_THROW(TypeError) << text;
  if (status == TILEOPS_STATUS_DEVICE) TVM_FFI_THROW(RuntimeError) << text;
  if (status == TILEOPS_STATUS_OUT_OF_MEMORY) TVM_FFI_THROW(MemoryError) << text;
  TVM_FFI_THROW(ValueError) << text;
}

struct Plan {
  ~Plan() { tileops_plan_destroy(plan); }
  tileops_plan* plan = nullptr;
};

// Memory beside the operands during one call: on a GPU of the allocator of the caller's library, which knows its
// streams; without one, and on the CPU, the library's.
class Workspace {
 public:
  Workspace(uint64_t bytes, DLDevice device, void* stream) : device_(device), stream_(stream) {
    if (bytes == 0) return;
    const auto extent = static_cast<int64_t>(bytes);
    if (device.device_type != kDLCPU && TVMFFIEnvGetDLPackManagedTensorAllocator()) {
      tensor_ = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::Shape({extent}), {kDLUInt, 8, 1}, device);
      data_ = tensor_.value().data_ptr();
      return;
    }
    check(tileops_tensor_alloc(nullptr, device, {kDLUInt, 8, 1}, 1, &extent, &own_));
    data_ = static_cast<char*>(own_->dl_tensor.data) + own_->dl_tensor.byte_offset;
  }
  Workspace(const Workspace&) = delete;
  ~Workspace() {
    if (!own_) return;
    if (device_.device_type != kDLCPU) tileops_stream_synchronize(nullptr, device_, stream_);
    own_->deleter(own_);
  }
  void* data() const { return data_; }

 private:
  DLDevice device_;
  void *stream_, *data_ = nullptr;
  ffi::Optional<ffi::Tensor> tensor_;
  DLManagedTensorVersioned* own_ = nullptr;
};

// An expression with its numbers: called with results, which the caller has made, operands, and any of the scalars in
// the text's order.
class Expression {
 public:
  explicit Expression(const ffi::String& text) {
    check(tileops_expr_parse(text.data(), text.size(), &expr_));
    check(tileops_expr_describe(expr_, &info_));
  }
  Expression(const Expression&) = delete;
  ~Expression() { tileops_expr_destroy(expr_); }

  void operator()(ffi::PackedArgs arguments) const {
    const int results = info_.num_results, operands = info_.num_operands, tensors = results + operands;
    const int scalars = arguments.size() - tensors;
    if (scalars < 0 || scalars > info_.num_scalars)
      TVM_FFI_THROW(TypeError) << "takes " << results << " results, " << operands << " operands and up to "
                               << info_.num_scalars << " scalars (got " << arguments.size() << " arguments)";
    DLTensor* all[TILEOPS_MAX_EXPR_OUTPUTS + TILEOPS_MAX_EXPR_INPUTS];
    for (int i = 0; i < tensors; ++i) all[i] = arguments[i].cast<DLTensor*>();
    tileops_number numbers[TILEOPS_MAX_EXPR_SCALARS];
    for (int i = 0; i < scalars; ++i) {
      const ffi::AnyView given = arguments[tensors + i];
      const auto integer = given.as<int64_t>();
      numbers[i] = integer ? tileops_number_i64(*integer) : tileops_number_f64(given.cast<double>());
    }
    run(all, all + results, numbers, scalars);
  }

 private:
  void run(DLTensor** outputs, DLTensor** inputs, const tileops_number* numbers, int scalars) const {
    Plan made;  // the library keeps those that it has made
    check(tileops_plan_create_like_expr(nullptr, expr_, inputs, static_cast<size_t>(info_.num_operands), outputs,
                                        static_cast<size_t>(info_.num_results), &made.plan));
    uint64_t bytes = 0;
    size_t size = sizeof bytes;
    check(tileops_plan_query(made.plan, TILEOPS_PLAN_WORKSPACE_BYTES, &bytes, &size));

    tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
    args.num_inputs = static_cast<uint32_t>(info_.num_operands), args.inputs = inputs;
    args.num_outputs = static_cast<uint32_t>(info_.num_results), args.outputs = outputs;
    args.num_scalars = static_cast<uint32_t>(scalars), args.scalars = numbers;
    const DLDevice device = outputs[0]->device;
    if (device.device_type != kDLCPU) args.stream = TVMFFIEnvGetStream(device.device_type, device.device_id);
    const Workspace workspace(bytes, device, args.stream);
    args.workspace = workspace.data(), args.workspace_bytes = bytes;
    check(tileops_execute_with(made.plan, &args));
  }

  tileops_expr* expr_ = nullptr;
  tileops_expr_info info_ = TILEOPS_EXPR_INFO_INIT;
};

ffi::Function expression(const ffi::String& text) {
  auto made = std::make_shared<Expression>(text);
  return ffi::Function::FromPacked([made](ffi::PackedArgs arguments, ffi::Any*) { (*made)(arguments); });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(expr, expression);
