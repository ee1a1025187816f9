//! Blocks without any particular instructions.

use super::{LANES, Lanes, Machine, Number, Vector, operators};
use std::array::from_fn;

/// What every processor can do.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// Eight numbers.
#[derive(Clone, Copy, Debug)]
pub struct Eight(Lanes);

impl Machine for Plain {
    type Vector = Eight;

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> Eight {
        Eight(*lanes)
    }
}

operators! { Eight:
    Add add |a, b| a.zip(b, |a, b| a + b);
    Sub sub |a, b| a.zip(b, |a, b| a - b);
    Mul mul |a, b| a.zip(b, |a, b| a * b);
    Div div |a, b| a.zip(b, |a, b| a / b);
}

impl Eight {
    /// One number of all, by halves: so registers can do it.
    #[inline(always)]
    fn fold(self, function: impl Fn(f32, f32) -> f32) -> f32 {
        let fours: [f32; 4] = from_fn(|i| function(self.0[i], self.0[i + 4]));
        function(function(fours[0], fours[2]), function(fours[1], fours[3]))
    }
}

impl Number for Eight {
    #[inline(always)]
    fn like(self, value: f32) -> Eight {
        Eight([value; LANES])
    }

    #[inline(always)]
    fn root(self) -> Eight {
        self.map(Number::root)
    }

    #[inline(always)]
    fn size(self) -> Eight {
        self.map(Number::size)
    }

    #[inline(always)]
    fn lower(self, other: Eight) -> Eight {
        self.zip(other, Number::lower)
    }

    #[inline(always)]
    fn higher(self, other: Eight) -> Eight {
        self.zip(other, Number::higher)
    }

    #[inline(always)]
    fn at_most(self, other: Eight) -> Eight {
        self.zip(other, Number::at_most)
    }

    #[inline(always)]
    fn pick(self, negative: Eight, positive: Eight) -> Eight {
        Eight(from_fn(|i| self.0[i].pick(negative.0[i], positive.0[i])))
    }

    #[inline(always)]
    fn shifted<const BITS: i32>(self) -> Eight {
        self.map(Number::shifted::<BITS>)
    }

    #[inline(always)]
    fn signed(self, sign: Eight) -> Eight {
        self.zip(sign, Number::signed)
    }

    #[inline(always)]
    fn plus_bits(self, other: Eight) -> Eight {
        self.zip(other, Number::plus_bits)
    }

    #[inline(always)]
    fn split(self) -> (Eight, Eight) {
        (self.map(|x| x.split().0), self.map(|x| x.split().1))
    }

    #[inline(always)]
    fn map(self, function: impl Fn(f32) -> f32) -> Eight {
        Eight(from_fn(|i| function(self.0[i])))
    }

    #[inline(always)]
    fn zip(self, other: Eight, function: impl Fn(f32, f32) -> f32) -> Eight {
        Eight(from_fn(|i| function(self.0[i], other.0[i])))
    }
}

impl Vector for Eight {
    #[inline(always)]
    fn lanes(self) -> Lanes {
        self.0
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        self.fold(|a, b| a + b)
    }

    #[inline(always)]
    fn lowest(self) -> f32 {
        self.fold(Number::lower)
    }

    #[inline(always)]
    fn highest(self) -> f32 {
        self.fold(Number::higher)
    }
}
