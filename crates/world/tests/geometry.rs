//! Lines of sight, rays, overlap and distances: drawn cases first, then random ones against brute force.

mod common;

use common::*;
use crewlab_onboard::RobotId;
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_world::{Bounds, Obstacle, Outline, Shape};
use proptest::prelude::*;
use std::f64::consts::TAU;

fn check_sight(expected: bool, text: &str) {
    let drawn = picture(text);
    for (from, to) in [('A', 'B'), ('B', 'A')] {
        assert_eq!(drawn.world.in_sight(drawn.at(from), drawn.at(to)), expected, "{from} to {to} in {text}");
    }
}

#[test]
fn obstacles_hide_and_gaps_do_not() {
    check_sight(true, ".A.....B.");
    check_sight(false, ".A..#..B.");
    check_sight(false, ".A..|..B.");
    check_sight(true, "#A.....B#");
    // Only things on the line count, not those beside it.
    check_sight(
        true,
        "....#....
         .A.....B.
         ....#....",
    );
    check_sight(
        false,
        "......B
         ...#...
         A......",
    );
    check_sight(
        true,
        "..#...B
         .......
         A...#..",
    );
    check_sight(
        false,
        "B......
         .-.....
         ..A....",
    );
}

#[test]
fn only_impassable_objects_hide() {
    check_sight(true, "A..~..B");
    check_sight(true, "A..>..B");
    check_sight(true, "A..x..B");
    // Heights do not matter for lines of sight: a low object still hides items on the floor behind it.
    check_sight(false, "A.._..B");
}

#[test]
fn a_place_sees_itself() {
    let drawn = picture("A#");
    assert!(drawn.world.in_sight(drawn.at('A'), drawn.at('A')));
}

/// Distances from `A` to the first `#`, `|` or `-` in the east, north, west and south; `None` if there is none.
fn check_rays(expected: [Option<f64>; 4], text: &str) {
    let drawn = picture(text);
    let east = vec2(1.0, 0.0);
    let directions = [east, east.left(), -east, -east.left()];
    for (direction, expected) in directions.into_iter().zip(expected) {
        let objects = drawn.world.objects().iter();
        let hits = objects.filter_map(|o| o.outline.ray(drawn.at('A'), direction, 100.0));
        assert_eq!(hits.min_by(f64::total_cmp), expected, "towards {direction:?} in {text}");
    }
}

#[test]
fn rays_end_at_the_nearest_face() {
    check_rays([Some(2.5), None, Some(0.5), None], "#A..#");
    check_rays(
        [None, Some(1.0), None, Some(1.5)],
        ".-.
         .A.
         ...
         .#.",
    );
    check_rays([Some(2.0), None, None, None], "A.|#");
}

#[test]
fn a_ray_that_starts_inside_has_no_way_to_go() {
    for shape in [Shape::rectangle(2.0, 1.0), Shape::Circle { radius: 0.6 }] {
        let outline = shape.at(&Default::default());
        assert_eq!(outline.ray(vec2(0.3, 0.2), vec2(0.0, 1.0), 9.0), Some(0.0));
    }
}

#[test]
fn reach_is_inclusive() {
    let wall = Outline::Segment(vec2(2.0, -1.0), vec2(2.0, 1.0));
    let ray = |reach| wall.ray(Vec2::ZERO, vec2(1.0, 0.0), reach);
    assert_eq!((ray(1.999), ray(2.0)), (None, Some(2.0)));
}

/// What a disc about `A` would overlap.
fn check_overlap(radius: f64, expected: Option<Obstacle>, text: &str) {
    let drawn = picture(text);
    let outline = Outline::Circle { center: drawn.at('A'), radius };
    assert_eq!(drawn.world.overlap(&outline, None), expected, "radius {radius} in {text}");
}

#[test]
fn touching_is_not_overlapping() {
    let wall = drawn("#").objects()[0].id;
    let text = "......
                ..A.#.
                ......";
    // The border is 1.5 m away above and below, and the block's face as well.
    check_overlap(1.5, None, text);
    check_overlap(1.5001, Some(Obstacle::Border), text);
    let text = ".......
                .......
                ...A.#.
                .......
                .......";
    check_overlap(1.5, None, text);
    check_overlap(1.5001, Some(Obstacle::Object(wall)), text);
}

#[test]
fn robots_and_walls_are_in_the_way_and_soft_ground_is_not() {
    let second = drawn("~|").objects()[1].id;
    let text = ".......
                .>..A.|
                .......";
    check_overlap(0.5, None, text);
    check_overlap(1.5, None, text);
    let text = ".......
                ...>A.~
                .......";
    check_overlap(0.75, None, text);
    check_overlap(0.76, Some(Obstacle::Body(RobotId(0))), text);
    let text = ".......
                ...~A|.
                .......";
    check_overlap(1.0, None, text);
    check_overlap(1.01, Some(Obstacle::Object(second)), text);
}

#[test]
fn a_body_does_not_block_itself() {
    let world = drawn(
        "...
         .>.
         ...",
    );
    let outline = world.bodies[0].outline_at(&world.bodies[0].pose);
    assert_eq!(world.overlap(&outline, None), Some(Obstacle::Body(RobotId(0))));
    assert_eq!(world.overlap(&outline, Some(RobotId(0))), None);
}

/// The digits of a picture are the corners, in this order.
fn corners(text: &str) -> Vec<Vec2> {
    let rows: Vec<&str> = text.lines().map(str::trim).collect();
    let place = |digit: char| {
        rows.iter().enumerate().find_map(|(row, line)| {
            line.find(digit).map(|column| vec2(column as f64, (rows.len() - row) as f64))
        })
    };
    ('0'..='9').map_while(place).collect()
}

fn check_convex(expected: bool, text: &str) {
    let mut corners = corners(text);
    for _ in 0..2 {
        let shape = Shape::convex(corners.clone());
        assert_eq!(shape.is_ok(), expected, "{shape:?} from {corners:?}");
        if let Ok(Shape::Polygon(kept)) = &shape {
            assert!(edges(kept).map(|(a, b)| a.cross(b)).sum::<f64>() > 0.0, "counter-clockwise: {kept:?}");
        }
        corners.reverse();
    }
}

#[test]
fn convex_corners_are_accepted_in_either_direction() {
    check_convex(
        true,
        "0...3
         .....
         1...2",
    );
    check_convex(
        true,
        "..0..
         1...4
         .....
         .2.3.",
    );
    check_convex(
        true,
        "0....
         1...2",
    );
}

#[test]
fn corners_that_turn_both_ways_are_refused() {
    check_convex(
        false,
        "0....
         .3...
         .....
         1...2",
    );
    // Two sides that cross.
    check_convex(
        false,
        "0...2
         .....
         1...3",
    );
}

#[test]
fn a_star_is_refused_although_it_turns_one_way_only() {
    check_convex(
        false,
        "...0...
         3.....2
         .......
         .1...4.",
    );
    // The same corners in the order around are fine: it is the winding that is refused.
    check_convex(
        true,
        "...0...
         1.....4
         .......
         .2...3.",
    );
}

#[test]
fn corners_on_a_line_are_refused() {
    check_convex(false, "0.1.2");
    check_convex(
        false,
        "0.4.3
         .....
         1...2",
    );
}

#[test]
fn too_few_corners_are_refused_with_their_number() {
    for count in 0..3 {
        let corners = (0..count).map(|i| vec2(f64::from(i), 0.0)).collect();
        let message = Shape::convex(corners).expect_err("too few corners");
        assert!(message.contains('3') && message.contains(&count.to_string()), "{message}");
    }
}

#[test]
fn the_border_is_as_far_as_the_way_out() {
    let bounds = Bounds { min: vec2(-1.0, -2.0), max: vec2(3.0, 4.0) };
    assert_eq!(bounds.exit(Vec2::ZERO, vec2(1.0, 0.0)), 3.0);
    assert_eq!(bounds.exit(Vec2::ZERO, vec2(0.0, -1.0)), 2.0);
    // At 3-4-5 the side is met before the top.
    assert!(close(bounds.exit(Vec2::ZERO, vec2(0.8, 0.6)), 3.75, 1e-12));
    assert_eq!(bounds.margin(vec2(2.5, 0.0)), 0.5);
    assert_eq!(bounds.margin(vec2(4.0, 0.0)), -1.0);
}

fn point() -> impl Strategy<Value = Vec2> {
    (-3.0..3.0_f64, -3.0..3.0_f64).prop_map(|(x, y)| vec2(x, y))
}

fn polygon() -> impl Strategy<Value = Outline> {
    (prop::collection::vec(0.2..1.0_f64, 3..9), [0.1..2.0_f64, 0.1..2.0_f64], 0.0..TAU, point()).prop_map(
        |(gaps, radii, turned, center)| {
            let corners = ellipse_corners(&gaps, radii, turned).into_iter().map(|c| c + center).collect();
            match Shape::convex(corners).expect("corners on an ellipse") {
                Shape::Polygon(corners) => Outline::Polygon(corners),
                _ => unreachable!("a polygon was asked for"),
            }
        },
    )
}

fn circle() -> impl Strategy<Value = Outline> {
    (point(), 0.05..2.0_f64).prop_map(|(center, radius)| Outline::Circle { center, radius })
}

fn segment() -> impl Strategy<Value = Outline> {
    (point(), point()).prop_map(|(a, b)| Outline::Segment(a, b))
}

fn outline() -> impl Strategy<Value = Outline> {
    prop_oneof![circle(), polygon(), segment()]
}

proptest! {
    #![proptest_config(cases(400))]

    /// A hit is right if it lies on the boundary (or the start is inside) and nothing before it is inside; a miss
    /// is right if no sample is inside.
    #[test]
    fn rays_meet_what_walking_along_them_meets(
        outline in prop_oneof![circle(), polygon()],
        origin in point(),
        angle in 0.0..TAU,
    ) {
        const REACH: f64 = 12.0;
        const STEPS: u32 = 3000;
        let direction = Vec2::unit(angle);
        let hit = outline.ray(origin, direction, REACH);
        if let Some(hit) = hit {
            let at = origin + direction * hit;
            let on_boundary = outline.nearest(at).distance(at) < 1e-6;
            prop_assert!(on_boundary || (hit == 0.0 && inside(&outline, origin)), "{hit}");
        }
        let free = hit.unwrap_or(REACH) - 1e-6;
        for step in 0..STEPS {
            let walked = REACH * f64::from(step) / f64::from(STEPS);
            prop_assert!(walked > free || !inside(&outline, origin + direction * walked), "inside at {walked}");
        }
    }

    /// A ray meets a wall exactly if the wall's samples change from one side of the ray's line to the other in
    /// front of the origin.
    #[test]
    fn rays_meet_walls_where_these_cross_them(wall in segment(), origin in point(), angle in 0.0..TAU) {
        let direction = Vec2::unit(angle);
        let samples = boundary(&wall, 500);
        let crossing = samples.windows(2).find(|pair| {
            (direction.cross(pair[0] - origin) > 0.0) != (direction.cross(pair[1] - origin) > 0.0)
        });
        let ahead = crossing.map(|pair| (pair[0] - origin).dot(direction));
        match (wall.ray(origin, direction, 12.0), ahead) {
            (Some(hit), Some(ahead)) => {
                // Neighbouring samples of a wall of at most 8.5 m are less than 2 cm apart.
                prop_assert!(close(hit, ahead, 0.02), "{hit} {ahead}");
                let at = origin + direction * hit;
                prop_assert!(wall.nearest(at).distance(at) < 1e-6);
            }
            (None, Some(ahead)) => prop_assert!(ahead < 0.02, "missed at {ahead}"),
            (Some(hit), None) => prop_assert!(false, "hit nothing at {hit}"),
            (None, None) => {}
        }
    }

    #[test]
    fn the_nearest_point_is_on_the_boundary_and_none_is_nearer(outline in outline(), point in point()) {
        let nearest = outline.nearest(point);
        // The sum over the ends of an edge tells whether a point lies on it, without asking what is tested.
        let off = match &outline {
            Outline::Circle { center, radius } => (nearest.distance(*center) - radius).abs(),
            Outline::Segment(a, b) => nearest.distance(*a) + nearest.distance(*b) - a.distance(*b),
            Outline::Polygon(corners) => edges(corners)
                .map(|(a, b)| nearest.distance(a) + nearest.distance(b) - a.distance(b))
                .fold(f64::INFINITY, f64::min),
        };
        prop_assert!(off < 1e-9, "{nearest:?} is {off} off the boundary");
        let distance = nearest.distance(point);
        for sample in boundary(&outline, 200) {
            prop_assert!(sample.distance(point) >= distance - 1e-9, "{sample:?} is nearer");
        }
        let expected = if inside(&outline, point) { 0.0 } else { distance };
        prop_assert!(close(outline.distance(point), expected, 1e-9));
    }

    #[test]
    fn inside_is_where_every_ray_crosses_once(outline in prop_oneof![circle(), polygon()], point in point()) {
        // On the rim the two may round differently.
        prop_assume!(outline.nearest(point).distance(point) > 1e-9);
        prop_assert_eq!(outline.contains(point), inside(&outline, point));
    }

    #[test]
    fn overlap_is_symmetric_and_agrees_with_shadows(one in outline(), other in outline()) {
        prop_assert_eq!(one.overlaps(&other), other.overlaps(&one));
        let walls = matches!((&one, &other), (Outline::Segment(..), Outline::Segment(..)));
        let apart = separation(&one, &other);
        // Two walls share no area, so their shadows tell nothing about depth.
        if !walls && apart.abs() > 1e-9 {
            prop_assert_eq!(one.overlaps(&other), apart < 0.0, "apart {}", apart);
        }
    }

    /// Random pairs are rarely close, so here one is pulled out of the other up to the very touch.
    #[test]
    fn overlap_ends_at_the_touch(one in prop_oneof![circle(), polygon()], other in outline(), angle in 0.0..TAU) {
        let moved = |shift: Vec2| match &other {
            Outline::Circle { center, radius } => Outline::Circle { center: *center + shift, radius: *radius },
            Outline::Polygon(corners) => Outline::Polygon(corners.iter().map(|c| *c + shift).collect()),
            Outline::Segment(a, b) => Outline::Segment(*a + shift, *b + shift),
        };
        // A polygon's corners may lie all on one side of the middle of its box, so its own middle is taken.
        let middle = |outline: &Outline| {
            let points = boundary(outline, 16);
            points.iter().fold(Vec2::ZERO, |sum, p| sum + *p) * (1.0 / points.len() as f64)
        };
        let together = middle(&one) - middle(&other);
        let at = |distance: f64| moved(together + Vec2::unit(angle) * distance);
        let (mut inner, mut outer) = (0.0, 20.0);
        for _ in 0..50 {
            let half = (inner + outer) / 2.0;
            *(if separation(&one, &at(half)) < 0.0 { &mut inner } else { &mut outer }) = half;
        }
        prop_assert!(one.overlaps(&at(inner - 1e-5)), "still overlapping at {inner}");
        prop_assert!(!one.overlaps(&at(outer + 1e-5)), "already apart at {outer}");
    }

    /// Samples of the inside decide for themselves: no overlap may be missed that a common inner point proves.
    #[test]
    fn a_common_inner_point_proves_overlap(one in polygon(), other in prop_oneof![circle(), polygon()]) {
        let center = one.bounding_circle().0;
        let rings = (0..10).flat_map(|ring| {
            boundary(&one, 20).into_iter().map(move |p| center + (p - center) * (f64::from(ring) / 10.0))
        });
        let common = rings.filter(|p| inside(&one, *p) && inside(&other, *p)).count();
        prop_assert!(common == 0 || one.overlaps(&other));
        if let Outline::Circle { center, radius } = other {
            prop_assert!(common == 0 || one.overlaps_circle(center, radius));
        }
    }

    #[test]
    fn boxes_and_circles_hold_what_they_surround(outline in outline()) {
        let (bounds, (center, radius)) = (outline.bounds(), outline.bounding_circle());
        let samples = boundary(&outline, 60);
        for sample in &samples {
            prop_assert!(bounds.margin(*sample) >= -1e-9);
            prop_assert!(sample.distance(center) <= radius + 1e-9);
        }
        // Each side of the box is touched, so it is not merely large: 60 samples leave 0.3 % of a radius of 2 m.
        let touched = |reach: fn(&Bounds, &Vec2) -> f64| samples.iter().any(|s| reach(&bounds, s) < 0.01);
        prop_assert!(touched(|b, s| s.x - b.min.x) && touched(|b, s| b.max.x - s.x));
        prop_assert!(touched(|b, s| s.y - b.min.y) && touched(|b, s| b.max.y - s.y));
    }

    #[test]
    fn corners_moved_inwards_are_no_longer_convex(
        gaps in prop::collection::vec(0.4..1.0_f64, 4..9),
        dented in 0..9_usize,
    ) {
        let mut corners = ellipse_corners(&gaps, [1.0, 0.7], 0.3);
        let n = corners.len();
        let (before, after) = (corners[(dented + n - 1) % n], corners[(dented + 1) % n]);
        // Past the chord between its neighbours, towards the middle of the others, which lie beyond that chord.
        corners.remove(dented % n);
        let middle = corners.iter().fold(Vec2::ZERO, |sum, c| sum + *c) * (1.0 / (n - 1) as f64);
        corners.insert(dented % n, (before + after) * 0.45 + middle * 0.1);
        prop_assert!(Shape::convex(corners.clone()).is_err());
        corners.reverse();
        prop_assert!(Shape::convex(corners).is_err());
    }
}

#[test]
fn a_wall_seen_end_on_stops_the_ray() {
    check_rays([Some(2.5), None, None, None], "A..-");
    check_sight(false, "A..-..B");
}
