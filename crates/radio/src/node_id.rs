//! The address of a radio.

use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};

/// A node: its place among the nodes that the caller describes. What is kept per node is a list in that order, which can
/// be indexed by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The sender of frames that come from outside the team.
    pub const OUTSIDE: NodeId = NodeId(u32::MAX);

    /// The node at a place in the list. Beyond the largest number it is [`NodeId::OUTSIDE`].
    #[inline]
    pub fn from_index(index: usize) -> NodeId {
        u32::try_from(index).map_or(NodeId::OUTSIDE, NodeId)
    }

    /// Its place in the list.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The first nodes, this many, in order.
    pub fn first(count: usize) -> impl Iterator<Item = NodeId> + Clone {
        (0..count).map(NodeId::from_index)
    }

    /// Pairs the elements of a list that is kept per node with their nodes.
    pub(crate) fn enumerate<T: IntoIterator>(per_node: T) -> impl Iterator<Item = (NodeId, T::Item)> {
        per_node.into_iter().enumerate().map(|(index, element)| (NodeId::from_index(index), element))
    }
}

impl<T> Index<NodeId> for [T] {
    type Output = T;

    #[inline]
    fn index(&self, node: NodeId) -> &T {
        &self[node.index()]
    }
}

impl<T> IndexMut<NodeId> for [T] {
    #[inline]
    fn index_mut(&mut self, node: NodeId) -> &mut T {
        &mut self[node.index()]
    }
}

impl<T> Index<NodeId> for Vec<T> {
    type Output = T;

    #[inline]
    fn index(&self, node: NodeId) -> &T {
        &self.as_slice()[node]
    }
}

impl<T> IndexMut<NodeId> for Vec<T> {
    #[inline]
    fn index_mut(&mut self, node: NodeId) -> &mut T {
        &mut self.as_mut_slice()[node]
    }
}
