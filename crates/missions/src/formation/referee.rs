//! The referee: watches who walks where, and keeps the score. Its notes are aspects of an area, so that they are part of the world.

use super::Formation;
use crate::{Minds, Mission};
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{RobotId, Time};
use crewlab_skills::formation::{Colour, FormationBriefing, Phase, Role, sets};
use crewlab_world::{Area, Aspect, Outline, World};

/// The kind of the area with the notes.
const BOARD: &str = "score";
/// What people read of it where something is left to do.
const FORMATION: &str = "formation";
/// How near to a paper the first of a line has reached the wall. [m]
const AT_WALL: f64 = 1.2;
/// How far the first of a line has to walk that crosses the room. [m]
const CROSSING: f64 = 1.0;

macro_rules! board {
    ($($(#[$words:meta])* $name:ident,)*) => {
        /// The score, in seconds and metres.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub(super) struct Board {
            $($(#[$words])* pub $name: f64,)*
            /// Time per robot in each phase.
            pub phases: [f64; 6],
        }

        /// The names of the notes, and after them the phases.
        const NOTES: &[&str] = &[$(stringify!($name),)* "phase 1", "phase 2", "phase 3", "phase 4", "phase 5", "phase 6"];

        impl Board {
            fn values(&self) -> impl Iterator<Item = f64> {
                [$(self.$name,)*].into_iter().chain(self.phases)
            }

            fn from_values(mut values: impl Iterator<Item = f64>) -> Board {
                let mut next = || values.next().unwrap_or_default();
                Board { $($name: next(),)* phases: std::array::from_fn(|_| next()) }
            }
        }
    };
}

board! {
    /// When the last tick was.
    last,
    /// 1 once all robots have stood.
    stood,
    /// Time in which the triangle walks.
    walking,
    /// Time in which it walks with both followers near their places.
    in_place,
    /// The followers' mean distance from their places, times time.
    error,
    /// How far the leader has walked with both followers near their places.
    triangle,
    /// How often the triangle has begun to walk.
    walks,
    /// How often it has begun with the followers on each other's side.
    mix_ups,
    /// 1 while the triangle walks.
    walks_now,
    /// Time in which a line walks.
    lining,
    /// The robots' mean distance from their places in the line, times time.
    line_error,
    /// How far the first has walked in this line.
    line_way,
    /// 1 once it has reached a wall.
    crossed_now,
    /// How often the first of a line has reached a wall.
    crossings,
    /// Time in which robots have nothing to do, per robot.
    waiting,
    /// 1 once all robots have lain down at the end.
    ended,
    /// When that was.
    ended_at,
}

/// The area with the notes.
pub(super) fn board() -> Area {
    let outline = Outline::Circle { center: Default::default(), radius: 0.0 };
    let mut area = Area::new(FORMATION, BOARD, outline);
    area.properties.aspects = NOTES.iter().map(|name| Aspect::fixed(name, 0.0)).collect();
    area
}

/// The number of the area with the notes.
pub(super) fn place(world: &World) -> Option<u32> {
    world.areas.iter().position(|area| &*area.kind == BOARD).map(|place| place as u32)
}

impl Board {
    /// The score in a world.
    pub(super) fn of(world: &World) -> Board {
        let area = world.areas.iter().find(|area| &*area.kind == BOARD);
        let aspects = area.map_or(&[][..], |area| &area.properties.aspects);
        Board::from_values(aspects.iter().map(|aspect| aspect.value))
    }

    fn write(&self, world: &mut World) {
        let area = world.areas.iter_mut().find(|area| &*area.kind == BOARD);
        let aspects = area.into_iter().flat_map(|area| &mut area.properties.aspects);
        aspects.zip(self.values()).for_each(|(aspect, value)| aspect.value = value);
    }
}

/// A place as seen from a pose: x ahead of it, y to its left. [m]
fn seen_from(pose: &Pose, place: Vec2) -> Vec2 {
    (place - pose.position).rotated(Vec2::unit(-pose.heading))
}

/// What the robots do, and where they are.
struct Scene<'a> {
    world: &'a World,
    briefing: FormationBriefing,
    roles: Vec<(RobotId, Role)>,
}

impl Scene<'_> {
    fn robot(&self, role: Role) -> Option<RobotId> {
        self.roles.iter().find(|(_, other)| *other == role).map(|(robot, _)| *robot)
    }

    fn pose(&self, role: Role) -> Option<Pose> {
        self.robot(role).map(|robot| self.world.bodies[robot].pose)
    }

    /// How far a robot was moved by the last tick. [m]
    fn step(&self, role: Role) -> f64 {
        let body = self.robot(role).map(|robot| &self.world.bodies[robot]);
        body.map_or(0.0, |body| body.pose.position.distance(body.from))
    }

    /// Distance of a robot from its place behind another one. [m]
    fn off(&self, role: Role, ahead: Role) -> Option<f64> {
        let post = self.briefing.post(role)?;
        Some(seen_from(&self.pose(ahead)?, self.pose(role)?.position).distance(post))
    }

    fn paper_near(&self, place: Vec2) -> bool {
        let papers = [Colour::Blue, Colour::Yellow].map(Colour::name);
        let mut objects = self.world.active_objects();
        objects.any(|object| {
            let paper = papers.iter().any(|colour| object.properties.value(colour).is_some());
            paper && object.pose.position.distance(place) <= AT_WALL
        })
    }
}

/// Takes the notes of a tick.
pub(super) fn officiate(mission: &Formation, world: &mut World, minds: &dyn Minds, now: Time) {
    let mut board = Board::of(world);
    let dt = (now.seconds() - board.last).max(0.0);
    board.last = now.seconds();
    let sets = sets();
    let role = |robot: RobotId| {
        let set = sets.get(usize::from(minds.active(robot)?.behaviour.0))?;
        Role::of(set.task)
    };
    let present = RobotId::enumerate(&world.bodies).filter(|(_, body)| body.present);
    let team: Vec<RobotId> = present.map(|(robot, _)| robot).collect();
    let roles = team.iter().filter_map(|robot| Some((*robot, role(*robot)?))).collect();
    let scene = Scene { world, briefing: mission.brief(world), roles };
    let share = dt / team.len().max(1) as f64;
    for (_, role) in &scene.roles {
        if let Some(phase) = role.phase() {
            board.phases[phase as usize] += share;
        }
    }
    if board.ended == 0.0 {
        board.waiting += share * (team.len() - scene.roles.len()) as f64;
    }
    triangle(mission, &scene, &mut board, dt);
    line(&scene, &mut board, dt);
    // A robot that is down keeps nobody waiting.
    let stances = || scene.world.bodies.iter().filter(|body| !body.down()).map(|body| body.stance());
    if stances().all(|stance| stance >= 1.0) {
        board.stood = 1.0;
    }
    let ends = scene.roles.iter().all(|(_, role)| role.phase() == Some(Phase::End));
    let enough = board.stood > 0.0 && board.crossings >= f64::from(mission.crossings);
    if board.ended == 0.0 && enough && ends && stances().all(|stance| stance <= 0.0) {
        (board.ended, board.ended_at) = (1.0, now.seconds());
    }
    board.write(world);
}

fn triangle(mission: &Formation, scene: &Scene, board: &mut Board, dt: f64) {
    let off = |role| scene.off(role, Role::Lead);
    let (Some(left), Some(right)) = (off(Role::FollowLeft), off(Role::FollowRight)) else {
        board.walks_now = 0.0;
        return;
    };
    if board.walks_now == 0.0 {
        (board.walks_now, board.walks) = (1.0, board.walks + 1.0);
        board.mix_ups += f64::from(u8::from(mixed_up(scene)));
    }
    board.walking += dt;
    board.error += dt * (left + right) / 2.0;
    if left.max(right) <= mission.tolerance {
        board.in_place += dt;
        board.triangle += scene.step(Role::Lead);
    }
}

/// True if the left follower stands on the right of the other one.
fn mixed_up(scene: &Scene) -> bool {
    let side = |role| Some(seen_from(&scene.pose(Role::Lead)?, scene.pose(role)?.position).y);
    side(Role::FollowLeft).zip(side(Role::FollowRight)).is_some_and(|(left, right)| left < right)
}

fn line(scene: &Scene, board: &mut Board, dt: f64) {
    let Some(first) = scene.pose(Role::LineLead) else {
        (board.line_way, board.crossed_now) = (0.0, 0.0);
        return;
    };
    board.line_way += scene.step(Role::LineLead);
    let there = board.line_way >= CROSSING && scene.paper_near(first.position);
    if there && board.crossed_now == 0.0 {
        (board.crossings, board.crossed_now) = (board.crossings + 1.0, 1.0);
    }
    let behind = [(Role::LineMiddle, Role::LineLead), (Role::LineLast, Role::LineMiddle)];
    if let [Some(second), Some(third)] = behind.map(|(role, ahead)| scene.off(role, ahead)) {
        board.lining += dt;
        board.line_error += dt * (second + third) / 2.0;
    }
}
