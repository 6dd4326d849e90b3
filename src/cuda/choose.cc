#include "cuda/choose.h"

#include <algorithm>
#include <cstdlib>

#include "core/bodies.h"
#include "core/error.h"
#include "cuda/tuning.h"
#include "tileops/device/bodies.h"

namespace tileops::cuda {
namespace {

// The kernels' text must not depend on the device they are planned for: packs are made without one.
constexpr Tuning kTuning = tuning_of(90);
constexpr int kThreads = kTuning.threads;
// One 16-byte access of the smallest operand, two of the largest (H200, 64 Mi elements: 16-bit in
// and 8-bit out 3.96 TB/s with 32 B -> 16 B a thread, 3.87 with 16 B -> 8 B).
constexpr int kLeastBytes = 16, kMostBytes = 32;

// A view of the pass with its strides in the layout's dimensions.
struct Operand {
  const View* view;
  const std::vector<int64_t>* strides;
  int64_t size;
  Reach reach = Reach::strided;
  bool is_store = false;

  bool memory() const { return reach != Reach::index && reach != Reach::fixed; }
  bool consecutive() const { return reach == Reach::dense || reach == Reach::row; }
};

// Rows of pairs: two views of one array, one of every second element and one of those between. RoPE's and
// sinusoidal's interleaved forms; as strided views they would be read and written element by element.
void find_pairs(std::vector<Operand>* operands) {
  for (size_t i = 0; i + 1 < operands->size(); ++i) {
    Operand &a = (*operands)[i], &b = (*operands)[i + 1];
    const bool alike = a.reach == Reach::strided && b.reach == Reach::strided && a.is_store == b.is_store &&
                       a.view->kind == b.view->kind && a.view->slot == b.view->slot &&
                       a.view->dtype == b.view->dtype && *a.strides == *b.strides;
    if (!alike || a.strides->back() != 2 * a.size || b.view->offset - a.view->offset != a.size) continue;
    a.reach = Reach::even;
    b.reach = Reach::odd;
  }
}

bool is_dense(const Operand& o, const std::vector<int64_t>& extents) {
  int64_t step = o.size;
  for (size_t d = extents.size(); d-- > 0;) {
    if ((*o.strides)[d] != step) return false;
    step *= extents[d];
  }
  return true;
}

// Is the same memory read again further out? Then it is small, or at least soon in a cache.
bool is_reused(const Operand& o, const std::vector<int64_t>& extents) {
  for (size_t d = 0; d + 1 < extents.size(); ++d)
    if ((*o.strides)[d] == 0 && extents[d] > 1) return true;
  return false;
}

Reach reach_of(const Operand& o, const Layout& layout) {
  const std::vector<int64_t>& s = *o.strides;
  if (o.view->kind == ViewKind::index) return Reach::index;
  if (o.view->gather) return Reach::gathered;
  const bool same = std::all_of(s.begin(), s.end(), [](int64_t x) { return x == 0; });
  if (!o.is_store && same && layout.numel > 1) return Reach::fixed;
  if (layout.numel == 1) return o.is_store ? Reach::dense : Reach::fixed;
  if (is_dense(o, layout.extents)) return Reach::dense;
  return s.back() == o.size ? Reach::row : s.back() == 0 ? Reach::splat : Reach::strided;
}

// Elements of a pack as the sizes of the streamed operands want it.
int wanted_vector(const std::vector<Operand>& operands, const std::vector<int64_t>& extents) {
  int64_t least = 16, most = 1;
  for (const Operand& o : operands) {
    if (!o.memory() || (!o.is_store && is_reused(o, extents))) continue;
    least = std::min(least, o.size);
    most = std::max(most, o.size);
  }
  return static_cast<int>(std::max<int64_t>(1, std::min(kLeastBytes / least, kMostBytes / most)));
}

// The largest pack that divides rows and keeps every row view aligned within them; 0 if coordinates
// must be found element by element.
int row_vector(const std::vector<Operand>& operands, const Layout& layout, int vector) {
  const int64_t row = layout.extents.back();
  for (; vector >= 1; vector /= 2) {
    bool fits = row % vector == 0;
    int64_t widest = 0;
    for (const Operand& o : operands) {
      if (!o.consecutive() && o.reach != Reach::even) continue;
      const int64_t access = std::min<int64_t>(16, vector * o.size * (o.reach == Reach::even ? 2 : 1));
      for (size_t d = 0; d + 1 < layout.extents.size(); ++d)
        fits = fits && (*o.strides)[d] % access == 0;
      if (o.is_store || !is_reused(o, layout.extents)) widest = std::max(widest, vector * o.size);
    }
    if (fits) return widest >= 8 ? vector : 0;
  }
  return 0;
}

// Largest distance of an element from its view's origin, in bytes.
int64_t reach_in_bytes(const Operand& o, const std::vector<int64_t>& extents) {
  int64_t sum = 0;
  for (size_t d = 0; d < extents.size(); ++d) {
    int64_t part;
    if (__builtin_mul_overflow(std::llabs((*o.strides)[d]), extents[d], &part) ||
        __builtin_add_overflow(sum, part, &sum))
      return INT64_MAX;
  }
  return sum;
}

// The dimension along which only the first two operands of a turning body and its results vary, if there
// is one, and how many packs of it a thread takes.
void choose_repeat(const Pass& pass, const Layout& layout, size_t direct, std::vector<Operand>* operands,
                   KernelSpec* spec) {
  if ((pass.body != "rope" && pass.body != "rope_rescaled") || pass.ctype != Ctype::f32 ||
      operands->size() != direct || pass.stores.size() != 2)
    return;
  for (size_t d = layout.extents.size() - 1; d-- > 0;) {
    bool same = layout.extents[d] > 1;
    for (size_t i = 2; i < pass.loads.size(); ++i) same = same && (*(*operands)[i].strides)[d] == 0;
    if (!same) continue;
    int repeat = kTuning.repeat;
    while (repeat > 1 && layout.extents[d] % repeat != 0) repeat /= 2;
    if (repeat == 1) continue;
    spec->repeat = repeat;
    spec->vector = std::min(spec->vector, 8);  // of 16 pairs a thread has too few registers
    spec->repeat_dim = static_cast<int>(d);
    for (Operand& o : *operands)
      if (o.reach == Reach::dense) o.reach = Reach::row;
    return;
  }
}

// Few instances: dimensions are padded in front with extents of 1.
int rounded_dims(int dims) {
  for (int n : {1, 2, 3, 4, 6, 8, 12, 16, 24, 33})
    if (dims <= n) return n;
  return dims;
}

uint64_t word_of(double x) {
  uint64_t w;
  static_assert(sizeof w == sizeof x, "");
  std::copy_n(reinterpret_cast<const char*>(&x), sizeof w, reinterpret_cast<char*>(&w));
  return w;
}

bool is_fp8_code(Dtype t) { return is_float(t) && dtype_size(t) == 1; }

// What dropout's kernels take of its attributes, after them: see kernels/position_forms.h.
void append_dropout(const AttrValue* attrs, std::vector<uint64_t>* words, int at) {
  const device::op::dropout<device::portable, float> d(attrs);
  const float inverse = 1.0f / d.keep_probability;
  const auto bits = [](float x) { return uint64_t{device::to_bits(x)}; };
  const bool exact = (bits(d.keep_probability) & 0x7fffff) == 0;
  (*words)[static_cast<size_t>(at)] = bits(d.keep_probability) | bits(inverse) << 32;
  (*words)[static_cast<size_t>(at + 1)] = d.threshold | uint64_t{d.drop_all} << 32 | uint64_t{exact} << 33;
}

// Squares of at most this much shared memory, all operands together.
constexpr int64_t kTileBytes = 48 << 10;

// The pass cut into squares of its last dimension and `layout.tile_dim`, which becomes the last but
// one; false if that does not fit it. Changes the operands' reach, and the layout's order of dims.
bool make_tiles(std::vector<Operand>* operands, Layout* layout, std::vector<std::vector<int64_t>>* strides,
                int* vector, int* edge) {
  const size_t dims = layout->extents.size(), last = dims - 1;
  const size_t row = static_cast<size_t>(layout->tile_dim);
  if (layout->cls != LayoutClass::tiled || layout->extents[row] < 8 || layout->extents[last] < 8)
    return false;
  const auto move_last = [&](std::vector<int64_t>* v) {
    const int64_t x = (*v)[row];
    v->erase(v->begin() + static_cast<long>(row));
    v->insert(v->end() - 1, x);
  };
  for (const Operand& o : *operands) {
    if (o.reach == Reach::gathered || (o.is_store && o.strides->back() != o.size)) return false;
    if (reach_in_bytes(o, layout->extents) >= INT32_MAX) return false;
  }
  int64_t line_bytes = 0;
  for (Operand& o : *operands) {
    const std::vector<int64_t>& s = *o.strides;
    if (o.reach == Reach::dense) o.reach = Reach::row;
    if (o.reach != Reach::strided || o.is_store || s[row] != o.size) continue;
    o.reach = Reach::tile;
    line_bytes += o.size;
  }
  *edge = 64;
  while (*edge > 16 && *edge * (*edge + 1) * line_bytes > kTileBytes) *edge /= 2;
  if (line_bytes == 0 || *edge * (*edge + 1) * line_bytes > kTileBytes) return false;
  *vector = std::min(*vector, *edge);
  strides->clear();
  for (const Operand& o : *operands) strides->push_back(*o.strides);
  for (size_t i = 0; i < operands->size(); ++i) {
    move_last(&(*strides)[i]);
    (*operands)[i].strides = &(*strides)[i];
  }
  move_last(&layout->extents);
  return true;
}

// From here on filling shared memory with the table costs less than it saves.
constexpr int64_t kLookupFrom = 65536;

bool wants_lookup(const Pass& pass, const Layout& layout) {
  if (pass.ctype != Ctype::f32 || pass.loads.size() != 1 || pass.stores.size() != 1) return false;
  const View &in = pass.loads[0], &out = pass.stores[0];
  return in.kind == ViewKind::input && !in.gather && is_fp8_code(in.dtype) &&
         dtype_size(out.dtype) == 1 && layout.cls == LayoutClass::contiguous &&
         layout.numel >= kLookupFrom;
}

// Four 16-byte accesses a thread, for one copy of the table.
Choice choose_lookup(const Pass& pass, const Layout& layout) {
  Choice c;
  c.spec.which = Template::lookup;
  c.spec.body = pass.body;
  c.spec.vector = 16;
  c.spec.units = kTuning.lookup_accesses;
  const ArgumentLayout at{2, 1, 0};
  c.words.assign(static_cast<size_t>(at.words()), 0);
  c.words[at.count] = static_cast<uint64_t>(layout.numel);
  for (const View* v : {&pass.loads[0], &pass.stores[0]}) {
    ViewSource source;
    source.kind = v->kind;
    source.slot = v->slot;
    source.offset = v->offset;
    source.misaligned = 15;
    source.size = 1;
    c.views.push_back(source);
  }
  c.threads = kThreads;
  const uint64_t per_block = uint64_t{kThreads} * 16 * kTuning.lookup_accesses;
  c.blocks = (static_cast<uint64_t>(layout.numel) + per_block - 1) / per_block;
  return c;
}

}  // namespace

Magic magic_of(uint64_t d, bool wide) {
  uint64_t shift = 0;
  while ((uint64_t{1} << shift) < d) ++shift;
  using Wide = unsigned __int128;
  const int bits = wide ? 64 : 32;
  const Wide excess = (Wide{1} << shift) - d;
  return {static_cast<uint64_t>((excess << bits) / d) + 1, shift};
}

Choice choose(const Problem& problem, const Pass& pass, const Layout& given, UseTables tables) {
  Layout layout = given;
  if (tables == UseTables::yes && wants_lookup(pass, layout)) return choose_lookup(pass, layout);
  Choice c;
  KernelSpec& spec = c.spec;
  std::vector<Operand> operands;
  size_t next = 0;
  for (const View& v : pass.loads)
    operands.push_back({&v, &layout.strides[next++], static_cast<int64_t>(dtype_size(v.dtype))});
  for (const View& v : pass.stores) {
    operands.push_back({&v, &layout.strides[next++], static_cast<int64_t>(dtype_size(v.dtype))});
    operands.back().is_store = true;
  }
  for (Operand& o : operands) o.reach = reach_of(o, layout);
  const size_t direct = operands.size();
  for (const View& v : pass.loads) {
    if (!v.gather) continue;
    operands.push_back(
        {v.gather.get(), &layout.strides[next++], static_cast<int64_t>(dtype_size(v.gather->dtype))});
    operands.back().reach = Reach::strided;
    ++spec.gathers;
  }
  std::vector<std::vector<int64_t>> tile_strides;
  spec.vector = wanted_vector({operands.begin(), operands.begin() + static_cast<long>(direct)}, layout.extents);
  const bool tiles = spec.gathers == 0 && make_tiles(&operands, &layout, &tile_strides, &spec.vector, &spec.edge);
  std::vector<Operand> own(operands.begin(), operands.begin() + static_cast<long>(direct));

  // How the space is cut.
  const int dims = static_cast<int>(layout.extents.size());
  spec.threads = kThreads;
  if (tiles) {
    spec.walk = Walk::tiles;
  } else if (dims == 1) {
    spec.walk = Walk::flat;
  } else {
    find_pairs(&operands);
    own.assign(operands.begin(), operands.begin() + static_cast<long>(direct));
    bool rows = true;
    for (const Operand& o : own) rows = rows && o.reach != Reach::strided;
    for (size_t i = direct; i < operands.size(); ++i) rows = rows && operands[i].strides->back() == 0;
    const int vector = rows ? row_vector(own, layout, spec.vector) : 0;
    spec.walk = vector ? Walk::rows : Walk::elements;
    if (vector) spec.vector = vector;
    if (!vector) {
      for (Operand& o : operands)
        if (o.reach == Reach::even || o.reach == Reach::odd) o.reach = Reach::strided;
      own.assign(operands.begin(), operands.begin() + static_cast<long>(direct));
    }
    if (vector) choose_repeat(pass, layout, direct, &operands, &spec);
  }
  if (spec.walk == Walk::flat || spec.walk == Walk::elements) {
    // Packs of dense operands beside element-wise ones pay where those are small.
    for (const Operand& o : own) {
      if (o.memory() && o.reach != Reach::dense && (o.is_store || !is_reused(o, layout.extents)))
        c.always_interleaved = true;
      if (spec.walk == Walk::elements && o.is_store && o.reach != Reach::dense)
        c.always_interleaved = true;
    }
  }

  // The spec.
  spec.body = pass.body;
  const bool narrow = dtype_size(pass.stores[0].dtype) == 2;
  if (spec.walk == Walk::flat && narrow && is_heavy(spec.body)) spec.units = kTuning.heavy_accesses;
  spec.ctype = pass.ctype;
  spec.ulp = problem.op->ulp;
  const int attrs = static_cast<int>(problem.op->attrs.size());
  const bool is_dropout = spec.body == "dropout" && pass.ctype == Ctype::f32;
  spec.attrs = attrs + (is_dropout ? 2 : 0);
  spec.bits_kept = pass.bits_kept;
  spec.dims = spec.walk == Walk::flat ? 1 : rounded_dims(dims);
  spec.halves = pass.ctype == Ctype::f32 && pass.stores.size() == 1 &&
                dtype_size(pass.stores[0].dtype) == 2 && is_float(pass.stores[0].dtype);
  bool alike = pass.ctype == Ctype::f32 && pass.stores.size() == 1 && is_narrow_float(pass.stores[0].dtype);
  for (const View& v : pass.loads)
    alike = alike && v.kind == ViewKind::input && v.dtype == pass.stores[0].dtype;
  spec.halves = spec.halves && alike;
  if (pass.ctype == Ctype::f32) {
    // Results that are rounded to fewer bits have the CPU's in any case.
    const bool same = (problem.flags & TILEOPS_PLAN_REPRODUCIBLE) && !is_narrow_float(pass.stores[0].dtype);
    spec.policy = same     ? "same_bits"
                  : !alike ? "quick"
                           : "fast<" + std::string(storage_name(pass.stores[0].dtype)) + ">";
  }
  const BodyInfo& body = bodies_of(problem.op->op)[static_cast<size_t>(pass.body_index)];
  spec.on_bits = spec.halves && body.on_bits;
  const bool sure = body.exact || (body.exact_bf16 && pass.stores[0].dtype == Dtype::bf16);
  // One operand: all results. Gated forms: all activations.
  const bool tabled = direct == 2 ? spec.halves : direct == 3 && alike && problem.op->rule == Rule::gated;
  spec.table = tables == UseTables::yes && tabled && spec.ulp > 0 && !sure && !body.has_odd && !spec.on_bits;
  // The f64 form behind a rounding test would take registers that the rest of the kernel pays for with
  // too few threads to hide memory's latency.
  if (alike && spec.ulp > 0 && !spec.table && !sure && !body.has_odd)
    spec.min_blocks = kTuning.min_blocks;
  if (spec.repeat > 1 && is_narrow_float(pass.stores[0].dtype)) spec.min_blocks = kTuning.turning_min_blocks;
  int gather = static_cast<int>(direct);
  for (size_t i = 0; i < direct; ++i) {
    const Operand& o = operands[i];
    AccessSpec a;
    a.reach = o.reach;
    a.storage = o.is_store ? destination_name(o.view->dtype, problem.fp8) : storage_name(o.view->dtype);
    if (spec.on_bits) a.storage = "u16";
    if (o.view->gather) {
      a.ids = storage_name(o.view->gather->dtype);
      a.gather = gather++;
    }
    (o.is_store ? spec.stores : spec.loads).push_back(a);
  }

  // The argument block.
  std::vector<int64_t> extents(static_cast<size_t>(spec.dims - dims), 1);
  extents.insert(extents.end(), layout.extents.begin(), layout.extents.end());
  int64_t count = layout.numel;
  if (spec.walk == Walk::rows) {
    count /= spec.vector * spec.repeat;
    extents.back() /= spec.vector;
  }
  if (spec.repeat > 1) {
    spec.repeat_dim += spec.dims - dims;
    extents[static_cast<size_t>(spec.repeat_dim)] /= spec.repeat;
  }
  if (tiles) {
    const int64_t rows = extents[extents.size() - 2], cols = extents.back();
    count = rows << 32 | cols;
    extents[extents.size() - 2] = (rows + spec.edge - 1) / spec.edge;
    extents.back() = (cols + spec.edge - 1) / spec.edge;
  }
  spec.wide = false;
  if (spec.walk == Walk::rows || spec.walk == Walk::elements) {
    // Interleaved packs ask for the coordinates of positions up to a block beyond the end.
    spec.wide = count + int64_t{kThreads} * spec.vector * spec.units >= INT32_MAX;
    for (const Operand& o : operands)
      if (o.reach != Reach::dense || spec.walk == Walk::rows)
        spec.wide = spec.wide || reach_in_bytes(o, layout.extents) >= INT32_MAX;
  }
  const ArgumentLayout at{spec.views(), spec.dims, spec.attrs};
  c.words.assign(static_cast<size_t>(at.words()), 0);
  const auto set = [&](int word, int64_t value) {
    c.words[static_cast<size_t>(word)] = static_cast<uint64_t>(value);
  };
  set(at.count, count);
  if (c.always_interleaved) set(at.flags, 1);
  for (int d = 0; d < spec.dims; ++d) {
    const uint64_t extent = static_cast<uint64_t>(extents[static_cast<size_t>(d)]);
    const Magic m = magic_of(extent, spec.wide);
    set(at.divide() + 3 * d, static_cast<int64_t>(m.magic));
    set(at.divide() + 3 * d + 1, static_cast<int64_t>(m.shift));
    set(at.divide() + 3 * d + 2, static_cast<int64_t>(extent));
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    const Operand& o = operands[i];
    const int view = static_cast<int>(i);
    for (int d = 0; d < dims; ++d)
      set(at.stride(view) + spec.dims - dims + d,
          (*o.strides)[static_cast<size_t>(d)] *
              (spec.repeat > 1 && spec.repeat_dim == spec.dims - dims + d ? spec.repeat : 1));
    if (o.view->gather) {
      set(at.gather_stride() + view, o.view->gather_stride);
      set(at.gather_extent() + view, o.view->gather_extent);
    }
    ViewSource source;
    source.kind = o.view->kind;
    source.slot = o.view->slot;
    source.offset = o.view->offset;
    source.size = static_cast<uint32_t>(o.size);
    source.scalar = o.reach == Reach::fixed;
    if (i < direct && o.consecutive() && (spec.walk != Walk::elements || o.reach == Reach::dense))
      source.misaligned = static_cast<uint64_t>(std::min<int64_t>(16, spec.vector * o.size)) - 1;
    if (o.reach == Reach::even) source.misaligned = static_cast<uint64_t>(std::min<int64_t>(16, 2 * spec.vector * o.size)) - 1;
    if (o.reach == Reach::tile) source.misaligned = 15;
    if (tiles && source.misaligned) {  // between rows, or lines, as well
      for (size_t d = 0; d < layout.extents.size(); ++d) {
        const int64_t step = (*o.strides)[d];
        if (step != o.size && (static_cast<uint64_t>(step) & source.misaligned))
          c.words[at.unaligned] |= uint64_t{1} << view;
      }
    }
    c.views.push_back(source);
  }
  for (int i = 0; i < attrs; ++i)
    c.words[static_cast<size_t>(at.attr() + i)] = word_of(problem.attrs[i].f64);
  if (is_dropout && attrs != 5) unsupported("op: dropout has %d attributes, its kernels know 5", attrs);
  if (is_dropout) append_dropout(problem.attrs, &c.words, at.attr() + attrs);

  if (tiles) {
    c.threads = kThreads;
    c.blocks = 1;
    for (int64_t n : extents) c.blocks *= static_cast<uint64_t>(n);
    return c;
  }
  // The grid.
  const int64_t packs = spec.walk == Walk::rows ? count : (count + spec.vector - 1) / spec.vector;
  c.threads = kThreads;
  while (c.threads > 32 && packs <= c.threads / 2) c.threads /= 2;
  const uint64_t per_block = uint64_t{c.threads} * static_cast<uint64_t>(spec.units);
  c.blocks = (static_cast<uint64_t>(packs) + per_block - 1) / per_block;
  return c;
}

}  // namespace tileops::cuda
