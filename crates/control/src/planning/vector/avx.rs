//! Blocks in the registers of x86-64 processors with AVX2.

use super::{FRACTION, Lanes, Machine, Number, ROOT_HALF, Vector, operators};
use pulp::x86::V3;
use std::arch::x86_64::{__m128, __m256};

/// Eight numbers in a register. That there is one shows that the processor has such registers.
#[derive(Clone, Copy, Debug)]
pub struct Eight(V3, __m256);

impl Machine for V3 {
    type Vector = Eight;

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> Eight {
        Eight(self, pulp::cast(*lanes))
    }
}

operators! { Eight:
    Add add |a, b| Eight(a.0, a.0.avx._mm256_add_ps(a.1, b.1));
    Sub sub |a, b| Eight(a.0, a.0.avx._mm256_sub_ps(a.1, b.1));
    Mul mul |a, b| Eight(a.0, a.0.avx._mm256_mul_ps(a.1, b.1));
    Div div |a, b| Eight(a.0, a.0.avx._mm256_div_ps(a.1, b.1));
}

impl Eight {
    /// One number of all, by halves.
    #[inline(always)]
    fn fold(self, function: impl Fn(__m128, __m128) -> __m128) -> f32 {
        let Eight(V3 { sse, avx, .. }, all) = self;
        let four = function(avx._mm256_castps256_ps128(all), avx._mm256_extractf128_ps::<1>(all));
        let two = function(four, sse._mm_movehl_ps(four, four));
        sse._mm_cvtss_f32(function(two, sse._mm_shuffle_ps::<1>(two, two)))
    }
}

impl Number for Eight {
    #[inline(always)]
    fn like(self, value: f32) -> Eight {
        Eight(self.0, self.0.avx._mm256_set1_ps(value))
    }

    #[inline(always)]
    fn root(self) -> Eight {
        Eight(self.0, self.0.avx._mm256_sqrt_ps(self.1))
    }

    #[inline(always)]
    fn size(self) -> Eight {
        Eight(self.0, self.0.avx._mm256_andnot_ps(self.like(-0.0).1, self.1))
    }

    #[inline(always)]
    fn lower(self, other: Eight) -> Eight {
        Eight(self.0, self.0.avx._mm256_min_ps(self.1, other.1))
    }

    #[inline(always)]
    fn higher(self, other: Eight) -> Eight {
        Eight(self.0, self.0.avx._mm256_max_ps(self.1, other.1))
    }

    #[inline(always)]
    fn at_most(self, other: Eight) -> Eight {
        Eight(self.0, self.0.avx._mm256_cmp_ps::<{ std::arch::x86_64::_CMP_LE_OQ }>(self.1, other.1))
    }

    #[inline(always)]
    fn pick(self, negative: Eight, positive: Eight) -> Eight {
        Eight(self.0, self.0.avx._mm256_blendv_ps(positive.1, negative.1, self.1))
    }

    #[inline(always)]
    fn shifted<const BITS: i32>(self) -> Eight {
        Eight(self.0, pulp::cast(self.0.avx2._mm256_slli_epi32::<BITS>(pulp::cast(self.1))))
    }

    #[inline(always)]
    fn signed(self, sign: Eight) -> Eight {
        let avx = self.0.avx;
        Eight(self.0, avx._mm256_xor_ps(self.1, avx._mm256_and_ps(sign.1, self.like(-0.0).1)))
    }

    #[inline(always)]
    fn plus_bits(self, other: Eight) -> Eight {
        Eight(self.0, pulp::cast(self.0.avx2._mm256_add_epi32(pulp::cast(self.1), pulp::cast(other.1))))
    }

    #[inline(always)]
    fn split(self) -> (Eight, Eight) {
        let Eight(V3 { avx, avx2, .. }, x) = self;
        let root_half = avx._mm256_set1_epi32(ROOT_HALF as i32);
        let fraction = avx._mm256_set1_epi32(FRACTION as i32);
        let above = avx2._mm256_sub_epi32(pulp::cast(x), root_half);
        let exponent = avx2._mm256_srai_epi32::<{ FRACTION.count_ones() as i32 }>(above);
        let fraction = avx2._mm256_add_epi32(avx2._mm256_and_si256(above, fraction), root_half);
        (Eight(self.0, avx._mm256_cvtepi32_ps(exponent)), Eight(self.0, pulp::cast(fraction)))
    }

    #[inline(always)]
    fn map(self, function: impl Fn(f32) -> f32) -> Eight {
        // A loop, because what takes closures is not always inlined here.
        let mut lanes = self.lanes();
        for lane in &mut lanes {
            *lane = function(*lane);
        }
        self.0.load(&lanes)
    }

    #[inline(always)]
    fn zip(self, other: Eight, function: impl Fn(f32, f32) -> f32) -> Eight {
        let (mut lanes, others) = (self.lanes(), other.lanes());
        for (lane, other) in lanes.iter_mut().zip(others) {
            *lane = function(*lane, other);
        }
        self.0.load(&lanes)
    }
}

impl Vector for Eight {
    #[inline(always)]
    fn lanes(self) -> Lanes {
        pulp::cast(self.1)
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        self.fold(
            #[inline(always)]
            |a, b| self.0.sse._mm_add_ps(a, b),
        )
    }

    #[inline(always)]
    fn lowest(self) -> f32 {
        self.fold(
            #[inline(always)]
            |a, b| self.0.sse._mm_min_ps(a, b),
        )
    }

    #[inline(always)]
    fn highest(self) -> f32 {
        self.fold(
            #[inline(always)]
            |a, b| self.0.sse._mm_max_ps(a, b),
        )
    }
}
