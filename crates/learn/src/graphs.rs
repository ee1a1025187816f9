//! How many structures there are.

/// The number of directed acyclic graphs over so many variables (4.6): G(n) = Σ_k (-1)^(k+1) C(n,k) 2^(k(n-k)) G(n-k). Nothing if it is
/// too large for 128 bits, which is so from 15 variables on.
pub fn acyclic_graphs(variables: usize) -> Option<u128> {
    let mut graphs: Vec<i128> = vec![1];
    for n in 1..=variables {
        let mut sum = 0_i128;
        let mut choose = 1_i128;
        for k in 1..=n {
            choose = choose.checked_mul((n - k + 1) as i128)? / k as i128;
            let edges = 1_i128.checked_shl(u32::try_from(k * (n - k)).ok()?).filter(|edges| *edges > 0)?;
            let term = choose.checked_mul(edges)?.checked_mul(graphs[n - k])?;
            sum = if k % 2 == 1 { sum.checked_add(term)? } else { sum.checked_sub(term)? };
        }
        graphs.push(sum);
    }
    graphs.last().and_then(|count| u128::try_from(*count).ok())
}
