//! The paths of all particles: a tree that forgets branches without living successors, so that it grows with the path and not with
//! the number of particles.

use super::Slam;
use crewlab_onboard::geometry::Pose;

#[derive(Clone, Copy, Debug)]
struct Node {
    pose: Pose,
    parent: u32,
}

/// The paths that led to the particles of now.
#[derive(Clone, Debug, Default)]
pub struct Lineage {
    /// One list per scan.
    generations: Vec<Vec<Node>>,
}

impl Lineage {
    /// Notes where the particles are after a scan.
    pub fn note(&mut self, slam: &Slam) {
        let anew = slam.parents().iter().enumerate().any(|(at, parent)| at as u32 != *parent);
        let nodes = slam.poses().zip(slam.parents()).map(|(pose, &parent)| Node { pose, parent });
        self.generations.push(nodes.collect());
        if anew {
            self.forget();
        }
    }

    /// Removes what has no successor, from the last generation backwards until nothing is left to remove.
    fn forget(&mut self) {
        let mut after = self.generations.len().saturating_sub(1);
        while after > 0 {
            let (before, rest) = self.generations.split_at_mut(after);
            let (parents, children) = (&mut before[after - 1], &mut rest[0]);
            let mut place = vec![None; parents.len()];
            let mut kept = Vec::new();
            for child in children {
                let parent = child.parent as usize;
                let Some(slot) = place.get_mut(parent) else { continue };
                let at = *slot.get_or_insert_with(|| {
                    kept.push(parents[parent]);
                    kept.len() as u32 - 1
                });
                child.parent = at;
            }
            if kept.len() == parents.len() {
                return;
            }
            *parents = kept;
            after -= 1;
        }
    }

    /// The path of a particle, one pose per scan.
    pub fn path(&self, particle: usize) -> Vec<Pose> {
        let mut at = particle;
        let mut path = Vec::with_capacity(self.generations.len());
        for generation in self.generations.iter().rev() {
            let Some(node) = generation.get(at) else { break };
            path.push(node.pose);
            at = node.parent as usize;
        }
        path.reverse();
        path
    }

    /// The number of poses that are kept.
    pub fn size(&self) -> usize {
        self.generations.iter().map(Vec::len).sum()
    }
}
