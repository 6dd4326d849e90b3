//! Random plans: an operator or an expression, operands of any layout, some of them absent, numbers or
//! in place, and outputs. Many are wrong, in ways that both sides must refuse.

use std::fmt::Write;
use tileops::{AttrValue, DType, Number, Op, OperandInfo};

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// A tensor in memory of its own.
#[derive(Clone, Debug)]
pub struct Memory {
    pub dtype: DType,
    pub shape: Vec<usize>,
    pub strides: Vec<isize>,
    /// Bytes before element 0.
    pub offset: usize,
    pub words: Vec<u64>,
}

impl Memory {
    /// Row-major, or with axes in another order, gaps, and axes that run backwards.
    pub fn new(random: &mut Random, dtype: DType, shape: &[usize]) -> Self {
        let ndim = shape.len();
        let mut order: Vec<usize> = (0..ndim).collect();
        let mut gap = 1;
        if random.one_in(3) {
            (1..ndim).for_each(|i| order.swap(i, random.below(i + 1)));
            gap = 1 + random.below(2);
        }
        let mut strides = vec![0isize; ndim];
        let (mut step, mut first) = (gap, 0);
        for d in order.into_iter().rev() {
            strides[d] = step as isize;
            if gap > 1 && random.one_in(4) {
                strides[d] = -strides[d];
                first += shape[d].saturating_sub(1) * step;
            }
            step *= shape[d].max(1);
        }
        let bytes = (step + 1) * dtype.size();
        let words = (0..bytes / 8 + 1).map(|_| values(random, dtype)).collect();
        Self { dtype, shape: shape.to_vec(), strides, offset: first * dtype.size(), words }
    }

    pub fn element_0(&self) -> *mut u8 {
        self.words.as_ptr().cast::<u8>().wrapping_add(self.offset).cast_mut()
    }
}

/// 8 bytes of elements: small numbers for the most part, and any bits.
fn values(random: &mut Random, dtype: DType) -> u64 {
    let any = random.next();
    let small = (any >> 8) as i64 % 8;
    match dtype {
        DType::Bool => any & 0x0101_0101_0101_0101,
        _ if any % 8 == 0 => random.next(),
        DType::F64 => (small as f64 / 2.0).to_bits(),
        DType::F32 => u64::from((small as f32 / 2.0).to_bits()) * 0x1_0000_0001,
        DType::I64 | DType::U64 => small as u64,
        DType::I32 | DType::U32 => u64::from(small as u32) * 0x1_0000_0001,
        DType::I16 | DType::U16 => u64::from(small as u16) * 0x0001_0001_0001_0001,
        DType::I8 | DType::U8 => u64::from(small as u8) * 0x0101_0101_0101_0101,
        _ => random.next(),
    }
}

/// What stands for an input.
#[derive(Clone, Debug)]
pub enum Given {
    Memory(Memory),
    /// A number, as text and as 8 bytes of its dtype.
    Number(DType, String, u64),
    Absent,
    InPlace(usize),
}

#[derive(Clone, Debug)]
pub enum What {
    Operator(Op, Vec<(&'static str, AttrValue)>),
    Expression(String),
}

#[derive(Clone, Debug)]
pub struct Case {
    pub what: What,
    pub inputs: Vec<Given>,
    pub outputs: Vec<Memory>,
    pub scalars: Vec<Number>,
}

/// What most tensors of a case have.
struct Usual {
    dtype: DType,
    shape: Vec<usize>,
}

impl Usual {
    fn new(random: &mut Random) -> Self {
        let shape = (0..random.below(4)).map(|_| 1 + random.below(4)).collect();
        let dtype = match random.below(3) {
            0 => DType::F32,
            1 => random.pick(&[DType::U8, DType::I8, DType::U16, DType::I32, DType::I64]),
            _ => random.pick(DType::ALL),
        };
        Self { dtype, shape }
    }

    fn dtype(&self, random: &mut Random) -> DType {
        if random.one_in(5) {
            random.pick(DType::ALL)
        } else {
            self.dtype
        }
    }

    fn outputs(&self, random: &mut Random, count: usize) -> Vec<Memory> {
        let output = |_| {
            let dtype = self.dtype(random);
            Memory::new(random, dtype, &self.shape)
        };
        (0..count).map(output).collect()
    }

    /// In place of an output, now and then of one that is none, or a tensor of its own.
    fn input(&self, random: &mut Random, outputs: usize) -> Given {
        if random.one_in(3) {
            let beyond = usize::from(random.one_in(16));
            return Given::InPlace(random.below(outputs + beyond));
        }
        let (dtype, shape) = (self.dtype(random), broadcast(random, &self.shape));
        Given::Memory(Memory::new(random, dtype, &shape))
    }

    fn input_of_operator(&self, random: &mut Random, info: &OperandInfo, outputs: usize) -> Given {
        match (info.dtype, random.below(6)) {
            (_, 0) if info.optional || random.one_in(12) => Given::Absent,
            (None, 1 | 2) => number(random),
            (Some("bool"), _) if !random.one_in(8) => {
                let shape = broadcast(random, &self.shape);
                Given::Memory(Memory::new(random, DType::Bool, &shape))
            }
            (Some(_), _) => Given::Absent,
            _ => self.input(random, outputs),
        }
    }
}

impl Case {
    pub fn of_operator(random: &mut Random, op: Op) -> Self {
        let (usual, info) = (Usual::new(random), op.describe().unwrap());
        let both = info.outputs().len() > 1 && random.one_in(2);
        let outputs = usual.outputs(random, 1 + usize::from(both));
        let input = |input| usual.input_of_operator(random, &input, outputs.len());
        let inputs = info.inputs().map(input).collect();
        let attrs = if random.one_in(6) { attribute(random, op) } else { Vec::new() };
        Self { what: What::Operator(op, attrs), inputs, outputs, scalars: Vec::new() }
    }

    pub fn of_expression(random: &mut Random) -> Self {
        let usual = Usual::new(random);
        let (operands, results) = (1 + random.below(5), 1 + random.below(4));
        let text = text(random, operands, results);
        let outputs = usual.outputs(random, results);
        let input = |_| match random.below(32) {
            0 => Given::Absent,
            1 => number(random),
            _ => usual.input(random, results),
        };
        let inputs = (0..operands).map(input).collect();
        let scalars = match random.below(12) {
            0 => vec![true.into()],
            1 => vec![2.into(), 300.into()],
            2..=4 => vec![Number::DEFAULT, 3.into()],
            5..=7 => vec![0.5.into()],
            _ => Vec::new(),
        };
        Self { what: What::Expression(text), inputs, outputs, scalars }
    }
}

/// A shape that broadcasts to this one; seldom one that does not.
fn broadcast(random: &mut Random, shape: &[usize]) -> Vec<usize> {
    let mut smaller = shape.to_vec();
    if random.one_in(4) {
        smaller.drain(..random.below(shape.len() + 1));
        smaller.iter_mut().for_each(|extent| *extent = if random.one_in(3) { 1 } else { *extent });
    }
    if random.one_in(40) {
        smaller.push(5);
    }
    smaller
}

fn number(random: &mut Random) -> Given {
    let value = random.pick(&[0i64, 1, 7, -1, 128, 255, 256, -129, 70_000, 1 << 40]);
    let text = value.to_string();
    match random.below(8) {
        0 => Given::Number(DType::F32, "2.5".into(), u64::from(2.5f32.to_bits())),
        1 => Given::Number(DType::F64, "0.5".into(), 0.5f64.to_bits()),
        2 => Given::Number(DType::Bool, "true".into(), 1),
        3 if u8::try_from(value).is_ok() => Given::Number(DType::U8, text, value as u64),
        4..=6 if i32::try_from(value).is_ok() => Given::Number(DType::I32, text, value as u64),
        _ => Given::Number(DType::I64, text, value as u64),
    }
}

fn attribute(random: &mut Random, op: Op) -> Vec<(&'static str, AttrValue)> {
    let info = op.describe().unwrap();
    let names = info.attrs().filter(|attr| attr.choices.is_none() || random.one_in(8));
    let names: Vec<_> = names.map(|attr| attr.name).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let value = match random.below(2) {
        0 => AttrValue::Float(random.pick(&[0.0, 0.5, 1.0, 2.0, -1.0, 300.0, f64::INFINITY])),
        _ => AttrValue::Int(random.pick(&[0, 1, 2, -1, 300])),
    };
    vec![(random.pick(&names), value)]
}

/// An expression of operands a, b, ... and scalars s and n.
fn text(random: &mut Random, operands: usize, results: usize) -> String {
    let mut text = String::from("(");
    for i in 0..operands {
        let default = if random.one_in(6) { " = 1" } else { "" };
        let comma = if i > 0 { ", " } else { "" };
        write!(text, "{comma}{}{default}", operand_name(i)).unwrap();
    }
    text += "; s = 1.5, n = 2) -> { h = ";
    text += &value(random, operands, 2);
    text += "; ";
    for k in 0..results {
        // Each reads the operand whose place it may have.
        let own = operand_name(k.min(operands - 1));
        let comma = if k > 0 { ", " } else { "" };
        write!(text, "{comma}{own} + {} * h", value(random, operands, 2)).unwrap();
    }
    text + " }"
}

fn operand_name(i: usize) -> char {
    char::from(b'a' + i as u8)
}

fn value(random: &mut Random, operands: usize, depth: usize) -> String {
    if depth == 0 || random.one_in(4) {
        return match random.below(8) {
            0 => "s".into(),
            1 => "n".into(),
            2 => random.pick(&["2", "0.5", "-3", "200"]).into(),
            _ => operand_name(random.below(operands)).into(),
        };
    }
    let (a, b) = (value(random, operands, depth - 1), value(random, operands, depth - 1));
    match random.below(8) {
        0 => format!("({a} + {b})"),
        1 => format!("({a} - {b})"),
        2 => format!("({a} * {b})"),
        3 => format!("maximum({a}, {b})"),
        4 => format!("where({a} < {b}, {a}, {b})"),
        5 => format!("abs({a})"),
        6 => format!("{a} / 2"),
        _ => format!("({a} >= {b})"),
    }
}
