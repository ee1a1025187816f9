//! The id of a robot: one for all crates.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Index, IndexMut};

/// A robot: its place in the team. What is kept per robot is a list in the order of the team, which can be indexed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RobotId(pub u16);

impl RobotId {
    /// The robot at a place in the team. Beyond the largest id it is [`crate::OPERATOR`], who is no robot.
    #[inline]
    pub fn from_index(index: usize) -> RobotId {
        RobotId(u16::try_from(index).unwrap_or(u16::MAX))
    }

    /// Its place in the team.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// All robots of a team of this size, in order.
    pub fn team(size: usize) -> impl DoubleEndedIterator<Item = RobotId> + ExactSizeIterator + Clone {
        (0..size).map(RobotId::from_index)
    }

    /// Pairs the elements of a list that is kept per robot with their robots.
    pub fn enumerate<T: IntoIterator>(per_robot: T) -> impl Iterator<Item = (RobotId, T::Item)> {
        per_robot.into_iter().enumerate().map(|(index, element)| (RobotId::from_index(index), element))
    }
}

impl fmt::Display for RobotId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> Index<RobotId> for [T] {
    type Output = T;

    #[inline]
    fn index(&self, robot: RobotId) -> &T {
        &self[robot.index()]
    }
}

impl<T> IndexMut<RobotId> for [T] {
    #[inline]
    fn index_mut(&mut self, robot: RobotId) -> &mut T {
        &mut self[robot.index()]
    }
}

impl<T> Index<RobotId> for Vec<T> {
    type Output = T;

    #[inline]
    fn index(&self, robot: RobotId) -> &T {
        &self.as_slice()[robot]
    }
}

impl<T> IndexMut<RobotId> for Vec<T> {
    #[inline]
    fn index_mut(&mut self, robot: RobotId) -> &mut T {
        &mut self.as_mut_slice()[robot]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_robot_is_its_place_in_the_team() {
        let mut names = vec!["blue", "gold", "green"];
        let gold = RobotId::from_index(1);
        names[gold] = "red";
        assert_eq!((names[gold], gold.index(), gold.to_string().as_str()), ("red", 1, "1"));
        assert_eq!(
            RobotId::team(3).rev().map(|robot| names[robot]).collect::<Vec<_>>(),
            ["green", "red", "blue"]
        );
        assert_eq!(RobotId::enumerate(&names).nth(2), Some((RobotId(2), &"green")));
    }

    #[test]
    fn a_number_that_is_too_large_is_no_robot() {
        assert_eq!(RobotId::from_index(usize::MAX), crate::OPERATOR);
        assert_eq!(RobotId::from_index(65_536), crate::OPERATOR);
    }
}
