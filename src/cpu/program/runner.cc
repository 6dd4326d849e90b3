#include "cpu/program/machine.h"
#include "cpu/threads/scratch.h"

namespace tileops::cpu {
namespace {

// The dimension of a tile's rows.
int row_dim(const Layout& layout) {
  return layout.cls == LayoutClass::tiled ? layout.tile_dim : static_cast<int>(layout.extents.size()) - 2;
}

class Runner final : public Executor {
 public:
  Runner(Program&& p, Tiles&& tiles, ExecutorPtr wide, std::vector<int> near_numbers)
      : Executor(p.layout, "program", tiles.count(), p.non_temporal_stores),
        machine_(std::move(p), std::move(tiles)),
        wide_(std::move(wide)),
        near_numbers_(std::move(near_numbers)) {}

  std::string source() const override {
    std::string text = program_text(machine_.program(), machine_.tiles());
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

  void run(const Binding& binding, size_t begin, size_t end) const override {
    auto& scratch = scratch_as<Machine::Scratch>();
    machine_.begin(binding, &scratch);
    machine_.tiles().each(begin, end, [&](const Place& place) { machine_.run_tile(binding, place, &scratch); });
    machine_.end();
  }

  Machine machine_;
  ExecutorPtr wide_;
  std::vector<int> near_numbers_;
};

}  // namespace

ExecutorPtr make_program(Program&& program, ExecutorPtr wide, std::vector<int> near_numbers) {
  Tiles tiles(program.layout, row_dim(program.layout), program.tile);
  return std::make_unique<Runner>(std::move(program), std::move(tiles), std::move(wide), std::move(near_numbers));
}

}  // namespace tileops::cpu
