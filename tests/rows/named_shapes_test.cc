// What the line about a named expression says of shapes, as tileops/expressions.def tells it: it is so of the operands
// and results of the folder `named`.
#include <gtest/gtest.h>

#include <cctype>
#include <map>

#include "expr/parse/named.h"
#include "expr/parse/parser.h"
#include "texts.h"

namespace rowtest {
namespace {

struct SaidShape {
  std::string name;               // "": of a result that has none
  std::vector<std::string> dims;  // "..", "128", "N", "2N", "N/128"
};

// "x [.., 2N], weight [N]"
std::vector<SaidShape> ReadShapes(const std::string& text) {
  std::vector<SaidShape> shapes;
  for (size_t at = 0; at < text.size();) {
    const size_t open = text.find('[', at), close = text.find(']', at);
    if (open == std::string::npos || close == std::string::npos) break;
    SaidShape s;
    for (size_t i = at; i < open; ++i)
      if (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_') s.name += text[i];
    std::string dim;
    for (size_t i = open + 1; i <= close; ++i) {
      if (text[i] != ',' && text[i] != ']') {
        if (text[i] != ' ') dim += text[i];
        continue;
      }
      s.dims.push_back(dim);
      dim.clear();
    }
    shapes.push_back(s);
    at = close + 1;
  }
  return shapes;
}

class Extents {
 public:
  // Is the extent what the dimension says? Its letter stands for one number in all shapes.
  bool fit(const std::string& dim, int64_t extent) {
    const size_t letter = dim.find_first_not_of("0123456789");
    if (letter == std::string::npos) return extent == std::stoll(dim);
    const int64_t factor = letter == 0 ? 1 : std::stoll(dim.substr(0, letter));
    const size_t slash = dim.find('/');
    if (slash != std::string::npos) {
      const int64_t group = std::stoll(dim.substr(slash + 1)), whole = of_.at(dim[letter]);
      return extent == (whole + group - 1) / group;
    }
    if (extent % factor != 0) return false;
    return of_.emplace(dim[letter], extent / factor).first->second == extent / factor;
  }
  bool fit(const SaidShape& said, const Shape& shape) {
    if (said.dims == std::vector<std::string>{"1"}) return Count(shape) == 1;
    const bool open = said.dims.front() == "..";
    const size_t fixed = said.dims.size() - open;
    if (open ? shape.size() < fixed : shape.size() != fixed) return false;
    for (size_t k = 0; k < fixed; ++k)
      if (!fit(said.dims[k + open], shape[shape.size() - fixed + k])) return false;
    return true;
  }

 private:
  std::map<char, int64_t> of_;
};

// The shape of what broadcasts: that of all operands together.
Shape BroadcastOf(const std::vector<Declared>& operands) {
  Shape all;
  for (const Declared& d : operands) {
    if (d.shape.size() > all.size()) all.insert(all.begin(), d.shape.size() - all.size(), 1);
    for (size_t k = 0; k < d.shape.size(); ++k) {
      int64_t& extent = all[all.size() - d.shape.size() + k];
      extent = std::max(extent, d.shape[k]);
    }
  }
  return all;
}

TEST(NamedShapes, AreThoseThatTheLineSays) {
  for (size_t i = 0; i < tileops::expr::kNumNamed; ++i) {
    const tileops::expr::Named& named = tileops::expr::kNamed[i];
    SCOPED_TRACE(std::string(named.name) + ": " + named.doc);
    const RowText& text = RowTextOf(named.name);
    const std::string doc = named.doc;
    const size_t arrow = doc.find(" -> "), colon = doc.rfind(": ", arrow);
    if (arrow == std::string::npos || colon == std::string::npos) {
      if (text.name == "global_norm") continue;  // of operands of any shapes; the line says so
      for (const Declared& result : text.results)
        EXPECT_EQ(result.shape, BroadcastOf(text.operands)) << "the line has to say its shapes";
      continue;
    }
    const std::shared_ptr<const tileops::expr::Graph> graph = tileops::expr::parse(text.text);
    const std::vector<SaidShape> operands = ReadShapes(doc.substr(colon + 2, arrow - colon - 2));
    const std::vector<SaidShape> results = ReadShapes(doc.substr(arrow));
    ASSERT_EQ(operands.size(), graph->operands.size());
    ASSERT_EQ(results.size(), graph->results.size());
    Extents extents;
    for (size_t k = 0; k < operands.size(); ++k) {
      EXPECT_EQ(operands[k].name, graph->operands[k].name);
      if (k < text.operands.size()) {
        EXPECT_TRUE(extents.fit(operands[k], text.operands[k].shape)) << "operand " << operands[k].name;
      }
    }
    for (size_t k = 0; k < results.size(); ++k) {
      EXPECT_EQ(results[k].name.empty() ? "y" + std::to_string(k) : results[k].name, graph->results[k].name);
      EXPECT_TRUE(extents.fit(results[k], text.results[k].shape)) << "result " << k;
    }
  }
}

}  // namespace
}  // namespace rowtest
