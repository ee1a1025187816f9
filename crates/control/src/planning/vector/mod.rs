//! Arithmetic on a block of walkers at once. Formulas are written once, for any [`Number`]: a single one, a plain block, or a block in a
//! register of the processor. The instructions are chosen at run time, by what the processor has. All of them round each operation by
//! itself and add up in one order, so they give the same bits.

#[cfg(target_arch = "x86_64")]
mod avx;
mod plain;

pub use plain::Plain;

use std::ops::{Add, Div, Mul, Sub};

/// Walkers in a block.
pub const LANES: usize = 8;

/// A number for each walker of a block, in memory.
pub type Lanes = [f32; LANES];

/// The bits of √½.
const ROOT_HALF: u32 = 0x3f35_04f3;
/// The bits of a number that are its fraction.
const FRACTION: u32 = 0x007f_ffff;

/// A number, or one for each walker of a block.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f32, Output = Self>
    + Sub<f32, Output = Self>
    + Mul<f32, Output = Self>
{
    /// This value, as a number of the same kind.
    fn like(self, value: f32) -> Self;

    /// The root.
    fn root(self) -> Self;

    /// Without its sign.
    fn size(self) -> Self;

    /// The smaller of two numbers; the second if they cannot be compared.
    fn lower(self, other: Self) -> Self;

    /// The greater of two numbers; the second if they cannot be compared.
    fn higher(self, other: Self) -> Self;

    /// A number whose sign is negative where this one is not above the other.
    fn at_most(self, other: Self) -> Self;

    /// The first number where the sign of this one is negative, else the second.
    fn pick(self, negative: Self, positive: Self) -> Self;

    /// Its bits, moved towards the sign.
    fn shifted<const BITS: i32>(self) -> Self;

    /// With the opposite sign where the sign of another one is negative.
    fn signed(self, sign: Self) -> Self;

    /// The sum of the bits of two numbers, as integers.
    fn plus_bits(self, other: Self) -> Self;

    /// The exponent n and the fraction from √½ to √2 of a positive normal number, fraction · 2ⁿ.
    fn split(self) -> (Self, Self);

    /// A function of each number.
    fn map(self, function: impl Fn(f32) -> f32) -> Self;

    /// A function of each pair of numbers.
    fn zip(self, other: Self, function: impl Fn(f32, f32) -> f32) -> Self;
}

/// A number for each walker of a block, where it can be computed with.
pub trait Vector: Number {
    /// In memory.
    fn lanes(self) -> Lanes;

    /// The sum of all.
    fn sum(self) -> f32;

    /// The lowest of all.
    fn lowest(self) -> f32;

    /// The highest of all.
    fn highest(self) -> f32;
}

/// The nearest number within the bounds; the lower bound for what is not a number.
#[inline(always)]
pub fn clip<N: Number>(x: N, (low, high): (f32, f32)) -> N {
    x.higher(x.like(low)).lower(x.like(high))
}

/// The instructions that blocks are computed with.
pub trait Machine: Copy {
    /// What they compute with.
    type Vector: Vector;

    /// A block from memory.
    fn load(self, lanes: &Lanes) -> Self::Vector;

    /// The same number for all walkers.
    #[inline(always)]
    fn all(self, value: f32) -> Self::Vector {
        self.load(&[value; LANES])
    }

    /// Several blocks from memory.
    #[inline(always)]
    fn load_all<const N: usize>(self, lists: &[Lanes; N]) -> [Self::Vector; N] {
        let mut loaded = [self.all(0.0); N];
        for (into, list) in loaded.iter_mut().zip(lists) {
            *into = self.load(list);
        }
        loaded
    }
}

/// Several blocks in memory.
#[inline(always)]
pub fn store_all<const N: usize>(blocks: [impl Vector; N]) -> [Lanes; N] {
    let mut stored = [[0.0; LANES]; N];
    for (into, block) in stored.iter_mut().zip(blocks) {
        *into = block.lanes();
    }
    stored
}

/// Something to compute with any instructions. All that computes with vectors must be inlined into `run`, because only there may the
/// processor's instructions be used; elsewhere each would be a call. Functions and closures say so. Those of the standard library that
/// take closures do not, so `array::map` and the like are not for vectors.
pub trait Kernel {
    /// The result.
    type Output;

    /// Computes it.
    fn run(self, machine: impl Machine) -> Self::Output;
}

/// What the processor has.
#[derive(Clone, Copy, Debug)]
pub enum Processor {
    /// Nothing that can be relied on.
    Plain,
    /// Registers of eight numbers.
    #[cfg(target_arch = "x86_64")]
    Avx(pulp::x86::V3),
}

impl Default for Processor {
    fn default() -> Processor {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx) = pulp::x86::V3::try_new() {
            return Processor::Avx(avx);
        }
        Processor::Plain
    }
}

impl Processor {
    /// Runs a kernel with the best instructions.
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Processor::Plain => kernel.run(Plain),
            #[cfg(target_arch = "x86_64")]
            Processor::Avx(avx) => avx.vectorize(
                #[inline(always)]
                || kernel.run(avx),
            ),
        }
    }
}

/// Implements the operators of a block, with another one and with a single number.
macro_rules! operators {
    ($block:ty: $($operator:ident $name:ident |$a:ident, $b:ident| $result:expr;)*) => {$(
        impl std::ops::$operator for $block {
            type Output = $block;

            #[inline(always)]
            fn $name(self, other: $block) -> $block {
                let ($a, $b) = (self, other);
                $result
            }
        }

        impl std::ops::$operator<f32> for $block {
            type Output = $block;

            #[inline(always)]
            fn $name(self, other: f32) -> $block {
                let ($a, $b) = (self, self.like(other));
                $result
            }
        }
    )*};
}
use operators;

impl Number for f32 {
    #[inline(always)]
    fn like(self, value: f32) -> f32 {
        value
    }

    #[inline(always)]
    fn root(self) -> f32 {
        self.sqrt()
    }

    #[inline(always)]
    fn size(self) -> f32 {
        self.abs()
    }

    #[inline(always)]
    fn lower(self, other: f32) -> f32 {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn higher(self, other: f32) -> f32 {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn at_most(self, other: f32) -> f32 {
        if self <= other { -1.0 } else { 1.0 }
    }

    #[inline(always)]
    fn pick(self, negative: f32, positive: f32) -> f32 {
        if self.is_sign_negative() { negative } else { positive }
    }

    #[inline(always)]
    fn shifted<const BITS: i32>(self) -> f32 {
        f32::from_bits(self.to_bits() << BITS)
    }

    #[inline(always)]
    fn signed(self, sign: f32) -> f32 {
        f32::from_bits(self.to_bits() ^ (sign.to_bits() & 0x8000_0000))
    }

    #[inline(always)]
    fn plus_bits(self, other: f32) -> f32 {
        f32::from_bits(self.to_bits().wrapping_add(other.to_bits()))
    }

    #[inline(always)]
    fn split(self) -> (f32, f32) {
        let above = self.to_bits().wrapping_sub(ROOT_HALF);
        let fraction = f32::from_bits((above & FRACTION).wrapping_add(ROOT_HALF));
        (((above as i32) >> FRACTION.count_ones()) as f32, fraction)
    }

    #[inline(always)]
    fn map(self, function: impl Fn(f32) -> f32) -> f32 {
        function(self)
    }

    #[inline(always)]
    fn zip(self, other: f32, function: impl Fn(f32, f32) -> f32) -> f32 {
        function(self, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that blocks can do, in bits: results of numbers, then those of whole blocks.
    struct Everything(Lanes, Lanes);

    impl Kernel for Everything {
        type Output = Vec<u32>;

        #[inline(always)]
        fn run(self, machine: impl Machine) -> Vec<u32> {
            let (a, b) = (machine.load(&self.0), machine.load(&self.1));
            let blocks = store_all(numbers(a, b));
            let single = [a.sum(), a.lowest(), a.highest()];
            blocks.as_flattened().iter().chain(&single).map(|value| value.to_bits()).collect()
        }
    }

    #[inline(always)]
    fn numbers<N: Number>(a: N, b: N) -> [N; 20] {
        [
            a + b,
            a - b,
            a * b,
            a / b,
            a + 3.0,
            a - 3.0,
            a * 3.0,
            a.like(7.0),
            a.size().root(),
            a.size(),
            a.lower(b),
            a.higher(b),
            a.at_most(b).pick(a, b),
            a.shifted::<30>().pick(a, b),
            a.signed(b),
            a.plus_bits(b),
            a.map(|a| a + 1.0),
            a.zip(b, |a, b| a * b),
            (a.size() + 0.5).split().0,
            (a.size() + 0.5).split().1,
        ]
    }

    #[test]
    fn all_instructions_give_the_same_bits() {
        let a = [1.5, -2.25, 0.0, -0.0, 1e-39, 3.0e8, -7.7, 0.1];
        let b = [1.5, 1e-3, -0.0, 0.0, 2.0, -1.0, f32::INFINITY, 0.3];
        let plain = Processor::Plain.run(Everything(a, b));
        assert_eq!(plain, Processor::default().run(Everything(a, b)));
        for lane in 0..LANES {
            for (n, number) in numbers(a[lane], b[lane]).into_iter().enumerate() {
                assert_eq!(plain[n * LANES + lane], number.to_bits(), "{n}: {} {}", a[lane], b[lane]);
            }
        }
    }

    #[test]
    fn what_is_not_a_number_is_never_lower_nor_higher() {
        for machine in [Processor::Plain, Processor::default()] {
            let results = machine.run(Everything([f32::NAN; LANES], [2.0; LANES]));
            for n in [10, 11, 12] {
                assert_eq!(results[n * LANES], 2.0_f32.to_bits(), "{n}");
            }
        }
    }
}
