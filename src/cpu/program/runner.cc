#include "cpu/program/gate.h"
#include "cpu/threads/scratch.h"

namespace tileops::cpu {
namespace {

// The dimension of a tile's rows.
int row_dim(const Layout& layout) {
  return layout.cls == LayoutClass::tiled ? layout.tile_dim : static_cast<int>(layout.extents.size()) - 2;
}

class Runner final : public Executor {
 public:
  Runner(Program&& p, Sizes&& sizes, Tiles&& tiles, ExecutorPtr wide, std::vector<int> near_numbers,
         std::shared_ptr<const Gate> gate)
      : Executor(p.layout, "program", std::move(sizes), p.non_temporal_stores),
        machine_(std::move(p), std::move(tiles)),
        wide_(std::move(wide)),
        near_numbers_(std::move(near_numbers)),
        row_dim_(static_cast<size_t>(std::max(row_dim(machine_.program().layout), 0))),
        gate_(std::move(gate)) {}

  std::string source() const override {
    std::string text = (gate_ ? gate_->source() : "") + program_text(machine_.program(), machine_.tiles());
    if (!wide_) return text;
    std::string numbers;
    for (const int n : near_numbers_) numbers += " " + std::to_string(n);
    return text + "where one of the numbers" + numbers + " is 2^62 or more, instead\n" + wide_->source();
  }

 private:
  const Executor* instead(const Binding& binding) const override {
    const bool near = std::all_of(near_numbers_.begin(), near_numbers_.end(),
                                  [&](int n) { return is_near_number(binding.numbers[n].i64); });
    return near ? nullptr : wide_.get();
  }

  struct Memory {
    Machine::Scratch scratch;
    Gate::Window window;
  };

  Work work(const Binding& binding) const override {
    return {elements(binding), machine_.tiles().count(binding.sizes)};
  }

  void run(const Binding& binding, size_t begin, size_t end) const override {
    auto& memory = scratch_as<Memory>();
    machine_.begin(binding, &memory.scratch);
    machine_.tiles().each(binding.sizes, begin, end, [&](const Place& place) {
      if (gate_) run_stored_rows(binding, place, &memory);
      else machine_.run_tile(binding, place, &memory.scratch);
    });
    machine_.end();
  }

  // The rows of a tile that the mask does not leave out, those beside each other together.
  void run_stored_rows(const Binding& binding, const Place& place, Memory* memory) const {
    const size_t dims = machine_.program().layout.extents.size();
    int64_t index[TILEOPS_MAX_NDIM + 1] = {}, of_row[TILEOPS_MAX_NDIM + 1] = {};
    std::copy_n(place.index, dims, index);
    for (size_t d = 0; d + 1 < dims; ++d) of_row[d] = place.index[d];
    const int64_t most = dims > 1 ? INT64_MAX : 1;  // the gate stops where rows end
    gate_->each_stored(
        binding, of_row, static_cast<int64_t>(place.rows), most, &memory->scratch, &memory->window,
        [&] { machine_.begin(binding, &memory->scratch); },
        [&](int64_t first, int64_t count) {
          if (dims > 1) index[row_dim_] = first;
          machine_.run_tile(binding, Place{index, static_cast<size_t>(count), place.cols}, &memory->scratch);
        });
  }

  Machine machine_;
  ExecutorPtr wide_;
  std::vector<int> near_numbers_;
  size_t row_dim_;  // the dimension of a tile's rows, which the gate goes along
  std::shared_ptr<const Gate> gate_;
};

}  // namespace

ExecutorPtr make_program(Program&& program, Sizes&& sizes, ExecutorPtr wide, std::vector<int> near_numbers,
                         std::shared_ptr<const Gate> gate) {
  Tiles tiles(program.layout, row_dim(program.layout), program.tile, &sizes);
  return std::make_unique<Runner>(std::move(program), std::move(sizes), std::move(tiles), std::move(wide),
                                  std::move(near_numbers), std::move(gate));
}

}  // namespace tileops::cpu
