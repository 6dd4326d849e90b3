//! Calls without a plan in sight, of operators and expressions: each thread keeps the plans it made last.

use crate::plan::{Kind, Run};
use crate::tensor::View;
use crate::{
    AttrList, AttrValue, DType, Device, Expr, Input, Named, Number, Op, Operand, Operator, Plan,
    PlanOptions, RawStream, Result, TensorMut,
};
use smallvec::SmallVec;
use std::cell::RefCell;

/// Runs the operator of a name, with attributes given by name; the plan is made on the first call
/// and found on the next ones.
///
/// Each thread keeps up to 256 plans; finding one takes no lock and no allocation.
/// [`clear_plans`] releases those of a thread, as does its end. Calls in destructors of
/// thread-locals may come after that; each of them then makes a plan of its own.
///
/// ```
/// use tileops::{call, TensorMut, TensorRef};
/// let (a, b) = ([1.0f32, 2.0], [10.0f32, 20.0]);
/// let mut y = [0.0f32; 2];
/// let (a, b) = (TensorRef::new(&a, &[2])?, TensorRef::new(&b, &[2])?);
/// let mut out = TensorMut::new(&mut y, &[2])?;
/// call("add", &[(&a).into(), (&b).into()], &mut [&mut out], &[("alpha", 0.5.into())])?;
/// assert_eq!(y, [6.0, 12.0]);
/// # Ok::<(), tileops::Error>(())
/// ```
///
/// Errors: `InvalidArgument` (unknown name, shapes, attributes, overlap), `Unsupported` (dtypes), and
/// those of the device.
pub fn call(
    name: &str,
    inputs: &[Input<'_>],
    outputs: &mut [&mut TensorMut<'_>],
    attrs: &[(&str, AttrValue)],
) -> Result<()> {
    let op: Op = name.parse()?;
    run_all(&Named::new(op, attrs), inputs, outputs, &[])
}

/// Runs an operator or an expression through the cache.
pub(crate) fn run_all(
    operator: &impl Operator,
    inputs: &[Input<'_>],
    outputs: &mut [&mut TensorMut<'_>],
    scalars: &[Number],
) -> Result<()> {
    {
        let views: SmallVec<[&View; 2]> = outputs.iter().map(|out| &out.0).collect();
        run_views(operator, inputs, &views, scalars)?;
    }
    outputs.iter_mut().for_each(|out| out.0.uninit = false);
    Ok(())
}

/// As `run_all`, for one output or two; what the functions of `ops` do.
pub(crate) fn run(
    operator: &impl Operator,
    inputs: &[Input<'_>],
    output: &mut TensorMut<'_>,
    second: Option<&mut TensorMut<'_>>,
) -> Result<()> {
    match &second {
        Some(second) => run_views(operator, inputs, &[&output.0, &second.0], &[]),
        None => run_views(operator, inputs, &[&output.0], &[]),
    }?;
    output.0.uninit = false;
    if let Some(second) = second {
        second.0.uninit = false;
    }
    Ok(())
}

fn run_views(
    operator: &impl Operator,
    inputs: &[Input<'_>],
    outputs: &[&View],
    scalars: &[Number],
) -> Result<()> {
    let mut attrs = AttrList::new();
    operator.attrs(&mut attrs)?;
    let make = || {
        let inputs: SmallVec<[Operand<'_>; 4]> = inputs.iter().map(|i| (*i).into()).collect();
        let outputs: SmallVec<[Operand<'_>; 2]> =
            outputs.iter().map(|view| Operand(Kind::View(view))).collect();
        PlanOptions::default().plan_dyn(operator, &inputs, &outputs)
    };
    let execute = |plan: &Plan| {
        // SAFETY: the outputs are borrowed uniquely by the callers, and `wait` ends the work.
        unsafe { plan.execute_views(inputs, outputs, Run::on(RawStream::DEFAULT, scalars)) }?;
        plan.wait()
    };
    let cached = with_cache(|cache| {
        let expr = operator.expr();
        let key = Key::new(operator.op(), expr, &attrs, inputs, outputs);
        execute(cache.get(&key, expr, make)?)
    });
    cached.unwrap_or_else(|| execute(&make()?))
}

/// Releases the plans that this thread keeps for [`call`], the functions of [`ops`](crate::ops) and
/// [`Expr::call`].
pub fn clear_plans() {
    with_cache(|cache| cache.sets.iter_mut().for_each(Set::clear));
}

/// Hands the cache of this thread to `use_it`. None: there is none, since the thread ends and its
/// thread-locals are being destroyed, or a log callback calls while the cache is in use. Calls do
/// without it then.
#[inline]
fn with_cache<R>(use_it: impl FnOnce(&mut Cache) -> R) -> Option<R> {
    CACHE.try_with(|cache| cache.try_borrow_mut().ok().map(|mut cache| use_it(&mut cache))).ok()?
}

thread_local! {
    static CACHE: RefCell<Cache> = const { RefCell::new(Cache { sets: Vec::new() }) };
}

/// All that a plan is made from, as words.
struct Key(SmallVec<[i64; 64]>);

impl Key {
    fn new(
        op: Op,
        expr: Option<&Expr>,
        attrs: &AttrList,
        inputs: &[Input<'_>],
        outputs: &[&View],
    ) -> Key {
        let mut words = SmallVec::new();
        let counts = attrs.as_slice().len() << 16 | inputs.len() << 8 | outputs.len();
        words.push(i64::from(op.id()) << 32 | counts as i64);
        if let Some(expr) = expr {
            words.push(expr.as_ptr() as i64); // no other one's, as the cache keeps it
        }
        for attr in attrs.as_slice() {
            words.push(i64::from(attr.key.0) << 32 | i64::from(attr.kind.0));
            // SAFETY: both members are 8 bytes, of which every pattern is an integer.
            words.push(unsafe { attr.value.i64_ });
        }
        let views = inputs.iter().map(|input| input.0);
        for operand in views.chain(outputs.iter().map(|view| Kind::View(view))) {
            match operand {
                Kind::View(view) => {
                    words.push(head(view.dtype, view.ndim(), view.device));
                    words.extend_from_slice(view.shape());
                    words.extend_from_slice(view.strides());
                }
                Kind::Scalar(scalar) => words.push(head(scalar.dtype, 0, Device::CPU)),
                Kind::Absent => words.push(-1),
                Kind::Output(i) => words.push(-2 - i as i64),
            }
        }
        Key(words)
    }

    /// Rotate, add, multiply: the keys are few and not hostile.
    fn hash(&self) -> usize {
        let mix = |hash: u64, word: &i64| {
            (hash.rotate_left(5) ^ *word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        (self.0.iter().fold(0, mix) >> 40) as usize
    }
}

/// What a tensor is, but for its extents and strides.
fn head(dtype: DType, ndim: usize, device: Device) -> i64 {
    let device = device.to_dlpack();
    (dtype as i64) << 56
        | (ndim as i64) << 48
        | i64::from(device.device_type.0 as u16) << 32
        | i64::from(device.device_id as u32)
}

const SETS: usize = 64;
const WAYS: usize = 4;

/// Plans by their keys: sets of four, of which the oldest gives way.
struct Cache {
    sets: Vec<Set>,
}

#[derive(Default)]
struct Set {
    ways: [Option<Entry>; WAYS],
    next: usize,
}

struct Entry {
    key: Box<[i64]>,
    plan: Plan,
    /// Kept, so that its address is that of no other one.
    _expr: Option<Expr>,
}

impl Set {
    fn clear(&mut self) {
        *self = Set::default();
    }
}

impl Cache {
    fn get(
        &mut self,
        key: &Key,
        expr: Option<&Expr>,
        make: impl FnOnce() -> Result<Plan>,
    ) -> Result<&Plan> {
        if self.sets.is_empty() {
            self.sets.resize_with(SETS, Set::default);
        }
        let set = &mut self.sets[key.hash() % SETS];
        let found = set.ways.iter().position(|way| way.as_ref().is_some_and(|e| *e.key == *key.0));
        let at = match found {
            Some(at) => at,
            None => {
                let plan = make()?;
                let at = set.next % WAYS;
                let key = key.0.as_slice().into();
                set.ways[at] = Some(Entry { key, plan, _expr: expr.cloned() });
                set.next = set.next.wrapping_add(1);
                at
            }
        };
        Ok(&set.ways[at].as_ref().expect("found or just made").plan)
    }
}
