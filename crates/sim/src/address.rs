//! Robots as nodes of the radio: the only place where one id becomes the other.

use crewlab_onboard::RobotId;
use crewlab_radio::NodeId;

/// The node of a robot.
#[inline]
pub fn node(robot: RobotId) -> NodeId {
    NodeId(u32::from(robot.0))
}

/// The robot of a node; `None` for the station outside the team.
#[inline]
pub fn robot(node: NodeId) -> Option<RobotId> {
    u16::try_from(node.0).ok().map(RobotId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_robot_has_one_node_and_the_station_outside_is_no_robot() {
        for number in [0, 1, 59_999] {
            assert_eq!(robot(node(RobotId(number))), Some(RobotId(number)));
        }
        assert_eq!(robot(NodeId::OUTSIDE), None);
    }
}
