//! The filter on a log of a made-up building: a ring of corridors around a block, with rooms, pillars and doors, driven twice.

use super::{LIKELIHOODS, Likelihood, Lineage, Motion, Slam, SlamParams, Sweep};
use crewlab_onboard::geometry::{Pose, Vec2, vec2, wrap};
use crewlab_onboard::{Scan, Stream, StreamKind};
use std::f64::consts::{FRAC_PI_2, PI};

/// Walls as segments. [m]
fn building() -> Vec<(Vec2, Vec2)> {
    let mut walls = Vec::new();
    let mut rectangle = |x: f64, y: f64, width: f64, height: f64| {
        let corners = [vec2(x, y), vec2(x + width, y), vec2(x + width, y + height), vec2(x, y + height)];
        (0..4).for_each(|at| walls.push((corners[at], corners[(at + 1) % 4])));
    };
    // The outer wall, and a block in the middle: corridors of 2 m.
    rectangle(0.0, 0.0, 18.0, 12.0);
    rectangle(2.0, 2.0, 14.0, 8.0);
    // Pillars and cupboards, so that no corridor looks the same everywhere.
    let cupboards = [
        (4.0, 0.0),
        (9.5, 0.0),
        (13.0, 1.6),
        (17.5, 4.0),
        (17.6, 7.5),
        (12.0, 11.5),
        (6.0, 11.6),
        (0.0, 8.0),
        (1.7, 5.0),
    ];
    cupboards.iter().for_each(|(x, y)| rectangle(*x, *y, 0.5, 0.4));
    walls
}

fn range(walls: &[(Vec2, Vec2)], from: Vec2, way: Vec2) -> f64 {
    let hit = |(a, b): &(Vec2, Vec2)| {
        let (along, to) = (*b - *a, *a - from);
        let cross = way.cross(along);
        let (distance, share) = (to.cross(along) / cross, to.cross(way) / cross);
        (distance > 0.0 && (0.0..=1.0).contains(&share)).then_some(distance)
    };
    walls.iter().filter_map(hit).fold(50.0, f64::min)
}

/// Twice around the block in steps of 0.5 m and quarter turns in four.
fn path() -> Vec<Pose> {
    let mut pose = Pose::new(1.0, 1.0, 0.0);
    let mut path = vec![pose];
    for side in (0..2).flat_map(|_| [32, 20, 32, 20]) {
        for _ in 0..side {
            pose.position += Vec2::unit(pose.heading) * 0.5;
            path.push(pose);
        }
        for _ in 0..4 {
            pose.heading = wrap(pose.heading + FRAC_PI_2 / 4.0);
            path.push(pose);
        }
    }
    path
}

/// Odometry and scans along the path, with noise that accumulates.
fn log(seed: u64) -> Vec<(Pose, Vec<f64>)> {
    let (walls, path, angles) = (building(), path(), angles());
    let mut random = Stream::new(seed, StreamKind::Sensors, 0, 0);
    let mut odometry = path[0];
    let mut log = Vec::new();
    for (at, pose) in path.iter().enumerate() {
        if at > 0 {
            let mut motion = Motion::between(&path[at - 1], pose);
            motion.rot1 += (0.02 + 0.1 * motion.rot1.abs()) * random.normal();
            motion.trans *= 1.0 + 0.05 * random.normal();
            motion.rot2 += (0.02 + 0.1 * motion.rot2.abs()) * random.normal();
            odometry = motion.from(&odometry);
        }
        let ranges = angles.iter().map(|angle| {
            range(&walls, pose.position, Vec2::unit(pose.heading + angle)) + 0.01 * random.normal()
        });
        log.push((odometry, ranges.collect()));
    }
    log
}

fn angles() -> Vec<f64> {
    (0..91).map(|ray| -FRAC_PI_2 + f64::from(ray) * PI / 90.0).collect()
}

/// The filter after a log, and the paths of its particles.
fn mapped(log: &[(Pose, Vec<f64>)], params: SlamParams, seed: u64) -> (Slam, Lineage) {
    let (mut slam, mut lineage, angles) = (Slam::new(params), Lineage::default(), angles());
    for (tick, (odometry, ranges)) in log.iter().enumerate() {
        let scan = Scan::new(&angles, ranges, 50.0);
        let sweep = Sweep::new(&scan, 0.0, params.resolution, 0.0);
        slam.update(odometry, &sweep, &mut Stream::new(seed, StreamKind::Decisions, 0, tick as u64));
        lineage.note(&slam);
    }
    (slam, lineage)
}

fn rms(path: &[Pose]) -> f64 {
    let squares =
        path.iter().zip(super::tests::path()).map(|(a, b)| (a.position - b.position).length_squared());
    (squares.sum::<f64>() / path.len() as f64).sqrt()
}

fn few(likelihood: Likelihood) -> SlamParams {
    SlamParams { particles: 15, likelihood, ..SlamParams::default() }
}

#[test]
fn the_path_through_a_building_is_found_although_odometry_is_lost() {
    let log = log(1);
    let odometry: Vec<Pose> = log.iter().map(|(pose, _)| *pose).collect();
    let (slam, lineage) = mapped(&log, few(Likelihood::Ndt), 1);
    let path = lineage.path(slam.best().expect("particles"));
    assert_eq!(path.len(), log.len());
    let (before, after) = (rms(&odometry), rms(&path));
    assert!(before > 1.0, "{before}: this odometry is lost");
    // A cell is 0.15 m. 220 steps later the robot knows its place to two of them, without any outside help.
    assert!(after < 0.3, "{after}");
}

#[test]
fn every_likelihood_is_better_than_odometry() {
    let log = log(2);
    let odometry: Vec<Pose> = log.iter().map(|(pose, _)| *pose).collect();
    for kind in LIKELIHOODS {
        let likelihood = Likelihood::named(kind.name).expect("registered");
        // Few particles are a matter of luck, so the mean of some runs counts.
        let errors: Vec<f64> = (1..=5)
            .map(|seed| {
                let (slam, lineage) = mapped(&log, few(likelihood), seed);
                rms(&lineage.path(slam.best().expect("particles")))
            })
            .collect();
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        assert!(mean < 0.5 * rms(&odometry), "{}: {errors:?} of {}", kind.name, rms(&odometry));
    }
}

#[test]
fn a_filter_that_is_written_and_read_goes_on_as_if_nothing_had_happened() {
    let log = log(3);
    let (first, rest) = log.split_at(40);
    let (slam, _) = mapped(first, few(Likelihood::Ndt), 5);
    let bytes = postcard::to_stdvec(&slam).expect("plain data");
    let mut read: Slam = postcard::from_bytes(&bytes).expect("plain data");
    assert_eq!(read, slam);
    assert_eq!(postcard::to_stdvec(&read).expect("plain data"), bytes, "sharing survives");
    let (mut other, angles) = (slam, angles());
    for (tick, (odometry, ranges)) in rest.iter().take(10).enumerate() {
        let sweep = Sweep::new(&Scan::new(&angles, ranges, 50.0), 0.0, 0.15, 0.0);
        for slam in [&mut read, &mut other] {
            slam.update(odometry, &sweep, &mut Stream::new(9, StreamKind::Decisions, 0, tick as u64));
        }
    }
    assert_eq!(read, other);
}

#[test]
fn scans_without_echoes_and_absurd_odometry_do_no_harm() {
    let mut slam = Slam::new(few(Likelihood::Ndt));
    let blind = vec![50.0; 91];
    let broken = vec![f64::NAN; 91];
    let near = vec![0.5; 91];
    let angles = angles();
    for (tick, (x, ranges)) in
        [(0.0, &blind), (1.0, &broken), (2.0, &near), (1e12, &near), (2.0, &blind), (3.0, &near)]
            .into_iter()
            .enumerate()
    {
        let sweep = Sweep::new(&Scan::new(&angles, ranges, 50.0), 0.0, 0.15, 0.0);
        slam.update(
            &Pose::new(x, 0.0, 0.0),
            &sweep,
            &mut Stream::new(1, StreamKind::Decisions, 0, tick as u64),
        );
        assert!(slam.pose().is_some_and(|pose| pose.position.x.is_finite()));
    }
}

/// A scan at a pose among walls, all around.
fn sweep_at(walls: &[(Vec2, Vec2)], pose: &Pose) -> Sweep {
    let angles: Vec<f64> = (0..180).map(|ray| f64::from(ray) * PI / 90.0).collect();
    let ranges: Vec<f64> =
        angles.iter().map(|angle| range(walls, pose.position, Vec2::unit(pose.heading + angle))).collect();
    Sweep::new(&Scan::new(&angles, &ranges, 50.0), 0.0, 0.15, 0.0)
}

/// A filter that has driven along poses, with perfect odometry.
fn driven(walls: &[(Vec2, Vec2)], poses: &[Pose]) -> Slam {
    let mut slam = Slam::new(few(Likelihood::Ndt));
    for (tick, pose) in poses.iter().enumerate() {
        let mut random = Stream::new(1, StreamKind::Decisions, 0, tick as u64);
        slam.update(pose, &sweep_at(walls, pose), &mut random);
    }
    slam
}

#[test]
fn a_robot_that_was_carried_away_disagrees_with_its_map_and_finds_itself_on_it() {
    let (walls, path) = (building(), path());
    let mut slam = driven(&walls, &path[..116]);
    let here = slam.pose().expect("a pose");
    assert!(slam.agreement(&sweep_at(&walls, &path[115])).is_some_and(|share| share > 0.9));
    for carried in [Pose::new(9.0, 1.0, 2.0), Pose::new(16.9, 6.0, -1.0), Pose::new(1.0, 4.0, 0.3)] {
        let sweep = sweep_at(&walls, &carried);
        let share = slam.agreement(&sweep).expect("a known place");
        // Far from the 0.9 of where it belongs.
        assert!(share < 0.7, "{share} at {carried:?}");
        assert!(slam.relocate(&here, &sweep), "{carried:?}");
        let found = slam.pose().expect("a pose");
        assert!(found.position.distance(carried.position) < 0.15, "{found:?} {carried:?}");
        assert!(wrap(found.heading - carried.heading).abs() < 0.05, "{found:?} {carried:?}");
        slam = driven(&walls, &path[..116]);
    }
}

#[test]
fn a_room_that_looks_the_same_from_two_sides_tells_nobody_where_he_is() {
    let corners = [vec2(0.0, 0.0), vec2(6.0, 0.0), vec2(6.0, 4.0), vec2(0.0, 4.0)];
    let walls: Vec<(Vec2, Vec2)> = (0..4).map(|at| (corners[at], corners[(at + 1) % 4])).collect();
    let poses: Vec<Pose> = (0..8).map(|step| Pose::new(1.0 + 0.5 * f64::from(step), 1.5, 0.2)).collect();
    let mut slam = driven(&walls, &poses);
    let before = slam.pose();
    assert!(!slam.relocate(&poses[7], &sweep_at(&walls, &Pose::new(1.5, 1.0, 0.5))));
    assert_eq!(slam.pose(), before, "nothing has changed");
    let nothing = Sweep::default();
    assert!(!slam.relocate(&poses[7], &nothing) && slam.agreement(&nothing).is_none());
    assert!(!Slam::new(few(Likelihood::Ndt)).relocate(&poses[7], &sweep_at(&walls, &poses[0])));
}
