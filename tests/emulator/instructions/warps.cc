// What lanes of a warp do together, and barriers.
#include "instructions/handlers.h"

namespace emulator {
namespace {

// shfl: the segment that a lane is in comes of the upper bits of c, its last lane of the lower ones.
template <char kKind>
void shuffle(Warp& w, const Instruction& i, Mask lanes) {
  const Register a = w.from(i, 0), &b = w.from(i, 1), &c = w.from(i, 2);
  Register& d = w.to(i);
  const bool says = i.to.size() > 1;
  each_lane(lanes, [&](size_t lane) {
    const auto l = static_cast<int>(lane), n = static_cast<int>(b[lane] & 31);
    const auto clamp = static_cast<int>(c[lane] & 31), segment = static_cast<int>(c[lane] >> 8 & 31);
    const int last = (l & segment) | (clamp & ~segment), first = l & segment;
    int from = kKind == 'u' ? l - n : kKind == 'd' ? l + n : kKind == 'b' ? l ^ n : first | (n & ~segment);
    const bool inside = kKind == 'u' ? from >= last : from <= last;
    if (!inside) from = l;
    if (!(lanes >> from & 1)) throw Fault("a shuffle reads a lane that does not take part");
    d[lane] = a[static_cast<size_t>(from)];
    if (says) w.to(i, 1)[lane] = inside;
  });
}

Mask ballot(const Register& p, Mask lanes) {
  Mask set = 0;
  each_lane(lanes, [&](size_t l) { set |= Mask{(p[l] & 1) != 0} << l; });
  return set;
}
template <char kKind>
void vote(Warp& w, const Instruction& i, Mask lanes) {
  const Mask set = ballot(w.from(i, 0), lanes);
  const bool all = set == lanes, any = set != 0;
  const uint64_t r = kKind == 'b' ? set : kKind == 'l' ? all : kKind == 'y' ? any : all || !any;
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) { d[l] = r; });
}

void match_any(Warp& w, const Instruction& i, Mask lanes) {
  const Register a = w.from(i, 0);
  const uint64_t width = i.bytes == 8 ? ~uint64_t{0} : 0xffffffff;
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) {
    Mask same = 0;
    each_lane(lanes, [&](size_t k) { same |= Mask{((a[k] ^ a[l]) & width) == 0} << k; });
    d[l] = same;
  });
}

struct Add {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a + b; }
};
struct And {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a & b; }
};
struct Or {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a | b; }
};
struct Xor {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a ^ b; }
};
template <class T>
struct Minimum {
  uint32_t operator()(uint32_t a, uint32_t b) const { return static_cast<T>(b) < static_cast<T>(a) ? b : a; }
};
template <class T>
struct Maximum {
  uint32_t operator()(uint32_t a, uint32_t b) const { return static_cast<T>(a) < static_cast<T>(b) ? b : a; }
};
template <class F>
void reduce(Warp& w, const Instruction& i, Mask lanes) {
  const Register a = w.from(i, 0);
  auto r = static_cast<uint32_t>(a[static_cast<size_t>(__builtin_ctz(lanes))]);
  each_lane(lanes & (lanes - 1), [&](size_t l) { r = F()(r, static_cast<uint32_t>(a[l])); });
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) { d[l] = r; });
}

void elect(Warp& w, const Instruction& i, Mask lanes) {
  const auto first = static_cast<size_t>(__builtin_ctz(lanes));
  each_lane(lanes, [&](size_t l) {
    w.to(i)[l] = first;
    w.to(i, i.to.size() - 1)[l] = l == first;
  });
}

void active(Warp& w, const Instruction& i, Mask lanes) {
  Register& d = w.to(i);
  each_lane(lanes, [&](size_t l) { d[l] = lanes; });
}

void nothing(Warp&, const Instruction&, Mask) {}

Handler reduce_handler(const Mnemonic& m) {
  const bool is_signed = m.type() == "s32";
  if (m.type() == "f32") return nullptr;
  if (m.has("add")) return reduce<Add>;
  if (m.has("and")) return reduce<And>;
  if (m.has("or")) return reduce<Or>;
  if (m.has("xor")) return reduce<Xor>;
  if (m.has("min")) return is_signed ? reduce<Minimum<int32_t>> : reduce<Minimum<uint32_t>>;
  if (m.has("max")) return is_signed ? reduce<Maximum<int32_t>> : reduce<Maximum<uint32_t>>;
  return nullptr;
}

Handler barrier_handler(const Mnemonic& m, Instruction* i) {
  if (m.has("red")) return nullptr;
  if (m.has("cluster")) i->control = m.has("arrive") ? Control::cluster_arrive : Control::cluster_wait;
  else if (m.has("warp")) i->control = Control::together;
  else i->control = m.has("arrive") ? Control::arrive : Control::barrier;
  return nothing;
}

}  // namespace

Handler warp_handler(const Mnemonic& m, Instruction* i) {
  const std::string& op = m.op;
  if (op == "bar" || op == "barrier") return barrier_handler(m, i);
  if (op == "activemask") return active;
  if (op != "shfl" && op != "vote" && op != "match" && op != "redux" && op != "elect") return nullptr;
  i->control = Control::together;
  if (op == "shfl")
    return m.has("up") ? shuffle<'u'> : m.has("down") ? shuffle<'d'> : m.has("bfly") ? shuffle<'b'> : shuffle<'i'>;
  if (op == "vote")
    return m.has("ballot") ? vote<'b'> : m.has("all") ? vote<'l'> : m.has("any") ? vote<'y'> : vote<'s'>;
  if (op == "match") return m.has("any") ? match_any : nullptr;
  return op == "redux" ? reduce_handler(m) : elect;
}

}  // namespace emulator
