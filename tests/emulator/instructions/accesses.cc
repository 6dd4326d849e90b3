// Loads, stores, atomic operations, copies and addresses.
#include <algorithm>

#include "instructions/handlers.h"

namespace emulator {
namespace {

Space space_of(const Mnemonic& m) {
  if (m.has("shared::cluster")) return Space::cluster;
  if (m.has("shared") || m.has("shared::cta")) return Space::shared;
  if (m.has("global")) return Space::global;
  if (m.has("const")) return Space::constant;
  if (m.has("local")) return Space::local;
  return m.has("param") || m.has("param::entry") ? Space::param : Space::generic;
}

// Shared addresses may be of 32 or of 64 bits.
uint64_t address_of(const Register& base, int64_t offset, Space space, size_t l) {
  const uint64_t address = base[l] + static_cast<uint64_t>(offset);
  return space == Space::shared || space == Space::cluster ? address & 0xffffffff : address;
}

// Instruction::modifiers: is a loaded number signed?
void load(Warp& w, const Instruction& i, Mask lanes) {
  const auto space = static_cast<Space>(i.space);
  const size_t n = i.to.size(), bytes = i.bytes;
  const Register base = w.from(i, 0);  // a copy: the result may be the address's register
  each_lane(lanes, [&](size_t l) {
    const uint64_t address = address_of(base, i.from[0].offset, space, l);
    const std::byte* p = w.memory(space, address, n * bytes, static_cast<int>(l), Use::load);
    for (size_t k = 0; k < n; ++k) {
      uint64_t x = 0;
      std::memcpy(&x, p + k * bytes, bytes);
      if (i.modifiers && bytes < 8)
        x = static_cast<uint64_t>(static_cast<int64_t>(x << (64 - 8 * bytes)) >> (64 - 8 * bytes));
      w.to(i, k)[l] = x;
    }
  });
}

void store(Warp& w, const Instruction& i, Mask lanes) {
  const auto space = static_cast<Space>(i.space);
  const size_t n = i.modifiers, bytes = i.bytes;  // modifiers: how many
  each_lane(lanes, [&](size_t l) {
    const uint64_t address = address_of(w.from(i, 0), i.from[0].offset, space, l);
    std::byte* p = w.memory(space, address, n * bytes, static_cast<int>(l), Use::store);
    for (size_t k = 0; k < n; ++k) std::memcpy(p + k * bytes, &w.from(i, 1 + k)[l], bytes);
  });
}

struct Add {
  template <class T>
  T operator()(T a, T b, T) const {
    if constexpr (std::is_floating_point_v<T>) return a + b;
    else return static_cast<T>(uint64_t(a) + uint64_t(b));
  }
};
struct Minimum {
  template <class T>
  T operator()(T a, T b, T) const {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <class T>
  T operator()(T a, T b, T) const {
    return a < b ? b : a;
  }
};
struct And {
  template <class T>
  T operator()(T a, T b, T) const {
    return a & b;
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b, T) const {
    return a | b;
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b, T) const {
    return a ^ b;
  }
};
struct Exchange {
  template <class T>
  T operator()(T, T b, T) const {
    return b;
  }
};
struct CompareExchange {
  template <class T>
  T operator()(T a, T b, T c) const {
    return a == b ? c : a;
  }
};
struct Increment {
  template <class T>
  T operator()(T a, T b, T) const {
    return a >= b ? T(0) : T(a + 1);
  }
};

template <class T, class F>
void atomic(Warp& w, const Instruction& i, Mask lanes) {
  const auto space = static_cast<Space>(i.space);
  const Register base = w.from(i, 0);
  each_lane(lanes, [&](size_t l) {
    std::byte* p = w.memory(space, address_of(base, i.from[0].offset, space, l), sizeof(T), static_cast<int>(l),
                            Use::atomic);
    T before;
    std::memcpy(&before, p, sizeof(T));
    const T after = F()(before, get<T>(w.from(i, 1)[l]), get<T>(w.from(i, i.from.size() > 2 ? 2 : 1)[l]));
    std::memcpy(p, &after, sizeof(T));
    if (!i.to.empty()) {
      uint64_t bits = 0;
      std::memcpy(&bits, &before, sizeof(T));
      w.to(i)[l] = bits;
    }
  });
}

Handler atomic_handler(const Mnemonic& m) {
  const std::string& t = m.type();
  if (m.has("add")) {
    EMULATOR_CASE(t, "f32", float, atomic<T, Add>)
    EMULATOR_CASE(t, "f64", double, atomic<T, Add>)
    EMULATOR_INTEGERS(t, atomic<T, Add>)
  }
  if (m.has("min")) {
    EMULATOR_INTEGERS(t, atomic<T, Minimum>)
  }
  if (m.has("max")) {
    EMULATOR_INTEGERS(t, atomic<T, Maximum>)
  }
  if (m.has("and")) {
    EMULATOR_UNSIGNED(t, atomic<T, And>)
  }
  if (m.has("or")) {
    EMULATOR_UNSIGNED(t, atomic<T, Or>)
  }
  if (m.has("xor")) {
    EMULATOR_UNSIGNED(t, atomic<T, Xor>)
  }
  if (m.has("exch")) {
    EMULATOR_UNSIGNED(t, atomic<T, Exchange>)
  }
  if (m.has("cas")) {
    EMULATOR_UNSIGNED(t, atomic<T, CompareExchange>)
  }
  if (m.has("inc")) {
    EMULATOR_UNSIGNED(t, atomic<T, Increment>)
  }
  return nullptr;
}

// Bytes are there when they are waited for, and not before.
void copy(Warp& w, const Instruction& i, Mask lanes) {
  each_lane(lanes, [&](size_t l) {
    const auto bytes = static_cast<uint8_t>(w.from(i, 2)[l]);
    const auto filled = i.from.size() > 3 ? static_cast<uint8_t>(w.from(i, 3)[l]) : bytes;
    w.copies[l].open.push_back({address_of(w.from(i, 0), i.from[0].offset, Space::shared, l),
                                w.from(i, 1)[l] + static_cast<uint64_t>(i.from[1].offset), bytes, filled,
                                static_cast<int>(l)});
  });
}
void commit_copies(Warp& w, const Instruction&, Mask lanes) {
  each_lane(lanes, [&](size_t l) {
    w.copies[l].groups.push_back(std::move(w.copies[l].open));
    w.copies[l].open.clear();
  });
}
void wait_for_copies(Warp& w, const Instruction& i, Mask lanes) {
  each_lane(lanes, [&](size_t l) {
    auto& c = w.copies[l];
    const size_t left = i.from.empty() ? 0 : w.from(i, 0)[l];
    while (c.groups.size() > left) {
      w.do_copies(c.groups.front());
      c.groups.pop_front();
    }
    if (!i.from.empty()) return;
    w.do_copies(c.open);
    c.open.clear();
  });
}

// Instruction::modifiers: to a generic address, or from one.
void convert_address(Warp& w, const Instruction& i, Mask lanes) {
  const auto space = static_cast<Space>(i.space);
  const uint64_t base = space == Space::shared ? kSharedBase : space == Space::local ? kLocalBase : 0;
  const Register& a = w.from(i, 0);
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) { d[l] = i.modifiers ? a[l] + base : a[l] - base; });
}
void address_of_parameter(Warp& w, const Instruction& i, Mask lanes) {
  const auto begin = reinterpret_cast<uint64_t>(w.block->launch.params.data());
  const Register& a = w.from(i, 0);
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) { d[l] = begin + a[l]; });
}
// The same place of another block's shared memory.
void map_address(Warp& w, const Instruction& i, Mask lanes) {
  const Register &a = w.from(i, 0), &rank = w.from(i, 1);
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) {
    d[l] = (a[l] & ((uint64_t{1} << kRankShift) - 1)) | ((rank[l] & 0xff) + 1) << kRankShift;
  });
}

void nothing(Warp&, const Instruction&, Mask) {}
void trap(Warp&, const Instruction&, Mask) { throw Fault("a trap"); }

}  // namespace

Handler memory_handler(const Mnemonic& m, Instruction* i) {
  const std::string& op = m.op;
  i->space = static_cast<uint8_t>(space_of(m));
  i->bytes = static_cast<uint8_t>(bytes_of(m.type()));
  if (op == "ld" || op == "ldu") {
    i->modifiers = m.type()[0] == 's';
    return load;
  }
  if (op == "st") {
    i->modifiers = m.has("v8") ? 8 : m.has("v4") ? 4 : m.has("v2") ? 2 : 1;
    return store;
  }
  if (op == "atom" || op == "red") return atomic_handler(m);
  if (op == "cp" && m.has("async")) {
    if (m.has("commit_group")) return commit_copies;
    return m.has("wait_group") || m.has("wait_all") ? wait_for_copies : m.has("bulk") ? nullptr : copy;
  }
  if (op == "cvta") {
    if (m.has("param")) return m.has("to") ? nullptr : address_of_parameter;
    i->modifiers = !m.has("to");
    return convert_address;
  }
  if (op == "mapa") return map_address;
  if (op == "trap") return trap;
  for (const char* none : {"prefetch", "membar", "fence", "griddepcontrol", "nanosleep", "discard"})
    if (op == none) return nothing;
  return nullptr;
}

}  // namespace emulator
