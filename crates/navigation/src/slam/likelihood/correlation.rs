//! The correlation of the scan's local map with the particle's map (B.2).

use super::Moment;
use crate::maps::TILE;
use crate::slam::footprint::{FREE, Footprint, HIT};
use crate::slam::gaussian::moved;
use crate::slam::map::{PASSED, SEEN, SlamMap};
use crate::slam::particle::Particle;
use crewlab_onboard::Stream;

pub(super) const SUMMARY: &str = "correlation of the scan's local map with the particle's map, odometry corrected on the best map (ACE, B.2)";

pub(super) fn advance(particle: &mut Particle, moment: &Moment, random: &mut Stream) -> f64 {
    let Some(root) = moment.certainty.turned(particle.pose.heading).root() else { return 0.0 };
    particle.pose = moved(&moment.corrected.from(&particle.pose), root.draw(random).0);
    let mut local = Footprint::default();
    local.draw(&particle.pose, moment.sweep, particle.map.resolution());
    // The corrected odometry is what the motion model is given, so model and proposal cancel in (B.1). The ratio to the model of the
    // raw odometry would favour draws far from the match: correlation is too flat to outweigh it.
    // A particle whose map contradicts the scan is as unlikely as a number allows without dying at once.
    libm::log(correlation(&particle.map, &local).max(1e-9))
}

/// Formula B.2 over the cells that both maps know; m̄ is the mean of both. Negative correlation counts as none, and so does too little
/// overlap.
fn correlation(map: &SlamMap, local: &Footprint) -> f64 {
    // The local map is what this scan alone would make: a ray ended in a cell, or passed.
    let (hit, passed) = (probability(SEEN), probability(PASSED));
    let mut pairs = Vec::new();
    for row in 0..local.rows {
        for column in 0..local.columns {
            let Some(tile) = map.occupancy.cells.tile((local.low.0 + column, local.low.1 + row)) else {
                continue;
            };
            for (line, cells) in tile.chunks(TILE as usize).enumerate() {
                let marks = local.row(column, row, line as i32);
                let known = cells.iter().zip(marks).filter_map(|(cell, mark)| {
                    let seen = match *mark {
                        HIT => hit,
                        FREE => passed,
                        _ => return None,
                    };
                    Some((probability(cell.log_odds()?), seen))
                });
                pairs.extend(known);
            }
        }
    }
    let count = pairs.len() as f64;
    let mean = pairs.iter().map(|(m, l)| m + l).sum::<f64>() / (2.0 * count.max(1.0));
    let (mut both, mut map, mut local) = (0.0, 0.0, 0.0);
    for (m, l) in pairs.iter().map(|(m, l)| (m - mean, l - mean)) {
        both += m * l;
        map += m * m;
        local += l * l;
    }
    let scale = (map * local).sqrt();
    if scale > 0.0 { (both / scale).max(0.0) } else { 0.0 }
}

fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-log_odds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slam::sweep::Sweep;
    use crewlab_onboard::geometry::{Pose, Vec2, vec2};

    #[test]
    fn a_scan_correlates_with_the_map_it_made_and_less_with_a_shifted_one() {
        let wall: Vec<Vec2> = (-20..=20).map(|step| vec2(3.0, f64::from(step) * 0.1)).collect();
        let sweep = Sweep { echoes: wall, ..Sweep::default() };
        let (mut map, mut local) = (SlamMap::new(0.15), Footprint::default());
        local.draw(&Pose::default(), &sweep, 0.15);
        map.absorb(&Pose::default(), &sweep, &local);
        let at = |x: f64| {
            let mut local = Footprint::default();
            local.draw(&Pose::new(x, 0.0, 0.0), &sweep, 0.15);
            correlation(&map, &local)
        };
        assert!(at(0.0) > 0.5 && at(0.3) < 0.5 * at(0.0), "{} {}", at(0.0), at(0.3));
        assert_eq!(correlation(&SlamMap::new(0.15), &local), 0.0, "no overlap");
    }
}
