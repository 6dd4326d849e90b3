// Text to expression.
//
//   text    = "(" [operand {"," operand}] [";" scalar {"," scalar}] ")" "->" (results | block) ;
//   operand = shaped ["=" const] ;               a default makes it optional
//   shaped  = NAME ["[" dims "]"] ;              with what its shape must be
//   dims    = ".." [NAME | "1"] {"," dim} | [dim {"," dim}] ;
//   dim     = [INT "*"] NAME | NAME "/" INT | INT | "_" ;
//   scalar  = NAME "=" const ;                   i64 or f64, as written
//   block   = "{" {shaped {"," shaped} "=" expr ";"} results [";"] "}" ;    several names: of a call of a text by its
//   name results = expr {"," expr} ; expr    = arith [cmp arith] | unary ("&" unary {"&" unary} | "|" unary {"|"
//   unary}) ; cmp     = "<" | "<=" | ">" | ">=" | "==" | "!=" ; arith   = term {("+" | "-") term} ; term    = unary
//   {("*" | "/" | "//" | "%") unary} ; unary   = ("-" | "~") unary | power ; power   = primary ["**" unary] ; primary =
//   NUMBER | "true" | "false" | "inf" | "nan" | NAME | call | "(" expr ")" ; call    = NAME "(" [arg {"," arg}] ")" ;
//   arg     = [NAME "="] (expr | "(" const "," const {"," const} ")") ;
//   const   = ["-"] (NUMBER | "inf" | "nan" | "true" | "false") ;
//   NUMBER  = INT | INT "." INT [EXP] | INT EXP ;          "#": comment to the end of the line
#pragma once

#include <memory>
#include <string_view>

#include "expr/graph/graph.h"

namespace tileops::expr {

// Throws Error, with the offset of what is wrong and its place in the message.
std::shared_ptr<const Graph> parse(std::string_view text);

}  // namespace tileops::expr
