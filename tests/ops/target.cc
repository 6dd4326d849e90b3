#include "target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace optest {
namespace {

constexpr uint8_t kPattern = 0xA5;
constexpr int64_t kMargin = 8;  // elements on both sides

void Must(tileops_status status) {
  if (status == TILEOPS_STATUS_OK) return;
  std::fprintf(stderr, "tests/ops: %s\n", tileops_last_error());
  std::abort();
}

}  // namespace

std::vector<std::string> CompiledIsas() {
  const std::string text = tileops_build_info(), before = "cpu isas ";
  std::istringstream names(text.substr(text.find(before) + before.size()));
  std::vector<std::string> isas;
  for (std::string isa; names >> isa;) isas.push_back(isa);
  return isas;
}

const std::vector<Target>& Targets() {
  static const auto* all = [] {
    auto* targets = new std::vector<Target>;
    const char* device = std::getenv("TILEOPS_TEST_DEVICE");
    if (device && std::strncmp(device, "cuda", 4) == 0) {
      const int id = device[4] == ':' ? std::atoi(device + 5) : 0;
      Target t{device, DLDevice{kDLCUDA, id}, nullptr, nullptr};
      Must(tileops_context_create(nullptr, &t.context));
      Must(tileops_stream_create(t.context, t.device, &t.stream));
      targets->push_back(t);
      return targets;
    }
    for (const std::string& isa : CompiledIsas()) {
      tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
      options.cpu_isa = isa.c_str();
      options.num_threads = 4;
      Target t{"cpu/" + isa, DLDevice{kDLCPU, 0}, nullptr, nullptr};
      if (tileops_context_create(&options, &t.context) == TILEOPS_STATUS_OK) targets->push_back(t);
    }
    return targets;
  }();
  return *all;
}

const char* LayoutName(Layout layout) {
  static const char* const names[] = {"dense",   "null-strides", "strided", "negative", "reversed",
                                      "rotated", "unaligned",    "offset",  "padded",   "expanded"};
  return names[static_cast<int>(layout)];
}

const std::vector<Layout>& AllLayouts() {
  static const auto* all = new std::vector<Layout>{Layout::kDense,     Layout::kNull,     Layout::kStrided,
                                                   Layout::kNegative,  Layout::kReversed, Layout::kRotated,
                                                   Layout::kUnaligned, Layout::kOffset,   Layout::kPadded};
  return *all;
}

Tensor::Tensor(const Target& target, const Array& array, Layout layout)
    : target_(target),
      shape_(array.shape),
      strides_(array.shape.size()),
      size_(Info(array.dtype).size),
      lanes_(IsPacked(array.dtype) ? 2 : 1) {
  const int rank = static_cast<int>(shape_.size());
  // The order in which dimensions are laid out, innermost first, and the room of each.
  std::vector<int> order;
  for (int d = rank - 1; d >= 0; --d) order.push_back(d);
  const bool packed = lanes_ > 1;  // the innermost dimension stays as it is
  const auto movable = order.begin() + (packed && rank > 0 ? 1 : 0);
  if (layout == Layout::kReversed) std::reverse(movable, order.end());
  if (layout == Layout::kRotated && order.end() - movable > 1) std::rotate(movable, order.end() - 1, order.end());
  int64_t step = 1, low = 0;
  for (size_t k = 0; k < order.size(); ++k) {
    const size_t d = static_cast<size_t>(order[k]);
    const bool fixed = packed && k == 0;
    const bool gaps = layout == Layout::kStrided && k < 2 && !fixed;
    const int64_t stride = gaps ? 2 * step : step;
    const bool backwards = layout == Layout::kNegative && !fixed;
    strides_[d] = backwards ? -stride : stride;
    if (layout == Layout::kExpanded && k == (packed ? 1 : 0)) {
      strides_[d] = 0;
      continue;
    }
    if (backwards && shape_[d] > 0) low += stride * (shape_[d] - 1);
    step = stride * (shape_[d] > 0 ? shape_[d] : 1);
    if (layout == Layout::kPadded && k == 0) step += packed ? 6 : 3;
    if (layout == Layout::kPadded && shape_[d] == 1) strides_[d] = 977;  // to be ignored
  }
  const int64_t lead = layout == Layout::kUnaligned ? kMargin * 8 + lanes_ : kMargin * 8;
  origin_ = lead + low;
  const int64_t elements = lead + step + kMargin;
  image_bytes_ = (elements + lanes_ - 1) / lanes_ * size_;

  // The image: pattern, then the elements in row-major order of the index.
  image_.assign(static_cast<size_t>(image_bytes_), kPattern);
  if (!array.bits.empty()) {
    std::vector<int64_t> index(shape_.size(), 0);
    for (size_t i = 0; i < array.bits.size(); ++i) {
      int64_t at = origin_;
      for (size_t d = 0; d < index.size(); ++d)
        if (shape_[d] != 1) at += index[d] * strides_[d];
      SetElement(&image_, at, array.bits[i]);
      for (size_t d = index.size(); d-- > 0;) {
        if (++index[d] < shape_[d]) break;
        index[d] = 0;
      }
    }
  }
  const DLDataType bytes{kDLUInt, 8, 1};
  Must(tileops_tensor_alloc(target.context, target.device, bytes, 1, &image_bytes_, &memory_));
  DLTensor host{image_.data(), DLDevice{kDLCPU, 0}, 1, bytes, &image_bytes_, nullptr, 0};
  Copy(host, &memory_->dl_tensor);

  dl_ = memory_->dl_tensor;
  dl_.dtype = Info(array.dtype).dl;
  dl_.ndim = rank;
  dl_.shape = shape_.data();
  dl_.strides = layout == Layout::kNull ? nullptr : strides_.data();
  if (layout == Layout::kOffset) {
    dl_.byte_offset = static_cast<uint64_t>(origin_ * size_ / lanes_);
  } else {
    dl_.data = static_cast<uint8_t*>(memory_->dl_tensor.data) + origin_ * size_ / lanes_;
  }
}

Tensor::~Tensor() { memory_->deleter(memory_); }

uint64_t Tensor::Element(const std::vector<uint8_t>& image, int64_t at) const {
  if (lanes_ > 1) return image[static_cast<size_t>(at / 2)] >> at % 2 * 4 & 15;
  return LoadBits(&image[static_cast<size_t>(at * size_)], size_);
}

void Tensor::SetElement(std::vector<uint8_t>* image, int64_t at, uint64_t bits) const {
  if (lanes_ > 1) {
    uint8_t& byte = (*image)[static_cast<size_t>(at / 2)];
    byte = static_cast<uint8_t>(at % 2 ? (byte & 15) | bits << 4 : (byte & 0xf0) | bits);
  } else {
    StoreBits(&(*image)[static_cast<size_t>(at * size_)], size_, bits);
  }
}

void Tensor::Copy(const DLTensor& from, DLTensor* to) {
  Must(tileops_tensor_copy(target_.context, &from, to, target_.stream));
  Must(tileops_stream_synchronize(target_.context, target_.device, target_.stream));
}

std::vector<uint64_t> Tensor::Read(bool* intact) {
  std::vector<uint8_t> now(image_.size());
  DLTensor host{now.data(), DLDevice{kDLCPU, 0}, 1, DLDataType{kDLUInt, 8, 1}, &image_bytes_, nullptr, 0};
  Copy(memory_->dl_tensor, &host);
  std::vector<uint64_t> bits;
  int64_t n = 1;
  for (int64_t e : shape_) n *= e;
  std::vector<int64_t> index(shape_.size(), 0);
  for (int64_t i = 0; i < n; ++i) {
    int64_t at = origin_;
    for (size_t d = 0; d < index.size(); ++d)
      if (shape_[d] != 1) at += index[d] * strides_[d];
    bits.push_back(Element(now, at));
    SetElement(&now, at, Element(image_, at));
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < shape_[d]) break;
      index[d] = 0;
    }
  }
  *intact = now == image_;
  return bits;
}

}  // namespace optest
