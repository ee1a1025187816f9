//! Two robots serve a person together: one fetches the cup and hands it to the other, who brings it. A script assigns the parts,
//! so that the skills are tested independently of any coordinator.

use super::stage::Stage;
use crewlab_lab::sim::missions::service::{Receipt, receipts};
use crewlab_lab::sim::onboard::Outcome;
use crewlab_lab::sim::world::WorldEvent;

const PARTS: [&str; 2] = ["fetch-to-partner", "bring-from-partner"];

/// Eddie has taken the person's order.
fn ordered(seed: u64, sets: &[&str], loss: f64) -> Stage {
    let mut stage = Stage::new("service", seed, sets);
    stage.loss = loss;
    stage.until(10.0, "somebody comes", |stage| !receipts(&stage.world).is_empty());
    stage.tell("eddie", "order", 1, &[]);
    stage.until(60.0, "the order", |stage| stage.outcome("eddie") == Some(Outcome::Done));
    assert!(receipts(&stage.world)[0].ordered);
    stage.rest("eddie");
    stage.tick();
    stage
}

fn together(stage: &mut Stage, giver: &str, taker: &str) {
    stage.tell(giver, PARTS[0], 1, &[(taker, PARTS[1])]);
    stage.tell(taker, PARTS[1], 1, &[(giver, PARTS[0])]);
}

fn count(stage: &Stage, what: impl Fn(&WorldEvent) -> bool) -> usize {
    stage.happened.iter().filter(|event| what(event)).count()
}

fn dropped(stage: &Stage) -> usize {
    count(stage, |event| matches!(event, WorldEvent::Dropped { .. }))
}

fn handed_over(stage: &Stage) -> usize {
    count(stage, |event| matches!(event, WorldEvent::HandedOver { .. }))
}

#[test]
fn a_cup_goes_from_hand_to_hand_to_the_person() {
    // With an ideal radio and with one that loses half of all messages.
    for (seed, loss) in (1..=10).flat_map(|seed| [(seed, 0.0), (seed, 0.5)]) {
        let mut stage = ordered(seed, &[], loss);
        together(&mut stage, "poppy", "eddie");
        stage.until(120.0, "poppy has given the cup", |stage| stage.outcome("poppy") == Some(Outcome::Done));
        assert_eq!((handed_over(&stage), dropped(&stage)), (1, 0), "seed {seed}");
        let (poppy, eddie) = (stage.robot("poppy"), stage.robot("eddie"));
        assert!(stage.world.bodies[poppy].holding.is_none() && stage.world.bodies[eddie].holding.is_some());
        assert_eq!(stage.outcome("eddie"), Some(Outcome::Ongoing));
        stage.rest("poppy");
        stage.until(90.0, "eddie has brought it", |stage| stage.outcome("eddie") == Some(Outcome::Done));
        assert_eq!(receipts(&stage.world), [Receipt { ordered: true, served: true, attended: true }]);
        assert_eq!((handed_over(&stage), dropped(&stage)), (1, 0), "seed {seed}");
    }
}

/// The costs reported for each action as the work proceeds.
#[test]
fn costs_are_those_of_the_actions_that_are_left() {
    let mut stage = ordered(3, &[], 0.0);
    together(&mut stage, "poppy", "eddie");
    let places = |stage: &Stage, name: &str| -> Vec<usize> {
        stage.actor(name).software.coordinator.left.iter().map(|(place, _)| *place).collect()
    };
    stage.tick();
    stage.tick();
    assert_eq!((places(&stage, "poppy"), places(&stage, "eddie")), (vec![0, 1, 2, 3], vec![0, 1, 2, 3, 4]));
    let poppy = stage.robot("poppy");
    stage.until(60.0, "the cup is grasped", |stage| stage.world.bodies[poppy].holding.is_some());
    stage.tick();
    stage.tick();
    assert_eq!(places(&stage, "poppy"), [2, 3]);
    stage.until(60.0, "the cup is handed over", |stage| stage.outcome("poppy") == Some(Outcome::Done));
    stage.tick();
    stage.tick();
    assert_eq!(places(&stage, "eddie"), [2, 3, 4]);
}

/// MUROCO 3.6.3: the cup is shifted (recoverable), then turned (Eddie cannot continue), then Eddie's emergency stop is pressed
/// before the handover, and Poppy finishes alone with the cup in her hand.
#[test]
fn the_disturbances_of_the_thesis_are_reported() {
    let reachable = ["parameters.handle=-90 deg", "world.items={coffee: 1, tea: 0, water: 0}"];
    let mut stage = ordered(2, &reachable, 0.0);
    stage.tell("eddie", "bring", 1, &[]);
    let grasps = |stage: &Stage| stage.actor("eddie").software.skills().stage() == Some(1);
    stage.until(60.0, "eddie grasps", grasps);
    stage.world.items[0].position.x += 0.6;
    stage.world.items_changed();
    stage.tick();
    stage.tick();
    let script = &stage.actor("eddie").software.coordinator;
    assert_eq!(script.setbacks.iter().map(|setback| setback.why).collect::<Vec<_>>(), ["the cup was moved"]);
    assert_eq!(script.setbacks[0].capability, None, "nobody's fault");
    assert_eq!(script.outcome, Some(Outcome::Ongoing));
    assert_eq!(script.left[0].0, 0, "it goes there again");
    stage.until(60.0, "eddie grasps again", grasps);
    *stage.world.items[0].properties.value_mut("handle").expect("a handle") = std::f64::consts::FRAC_PI_2;
    stage.tick();
    stage.tick();
    let Some(Outcome::Failed(why)) = stage.outcome("eddie") else { panic!("{:?}", stage.outcome("eddie")) };
    assert!(why.contains("handle"), "{why}");

    together(&mut stage, "poppy", "eddie");
    let offers = |stage: &Stage| stage.actor("poppy").software.skills().stage() == Some(3);
    stage.until(90.0, "poppy is with eddie", offers);
    let eddie = stage.robot("eddie");
    stage.actors[eddie].percept.stopped = true;
    stage.tick();
    let Some(Outcome::Failed(why)) = stage.outcome("eddie") else { panic!("{:?}", stage.outcome("eddie")) };
    assert!(why.contains("emergency stop"), "{why}");
    assert_eq!(handed_over(&stage), 0);
    stage.rest("eddie");
    stage.tell("poppy", "fetch", 1, &[]);
    stage.tick();
    stage.tick();
    let left: Vec<usize> =
        stage.actor("poppy").software.coordinator.left.iter().map(|(place, _)| *place).collect();
    assert_eq!(left, [2, 3], "the cup is in her hand");
    stage.until(60.0, "poppy has served", |stage| stage.outcome("poppy") == Some(Outcome::Done));
    assert_eq!(receipts(&stage.world), [Receipt { ordered: true, served: true, attended: false }]);
    assert_eq!(dropped(&stage), 0);
}

#[test]
fn a_giver_whose_partner_does_not_come_says_so() {
    let mut stage = ordered(1, &[], 0.0);
    // Eddie is not told and goes home.
    stage.tell("poppy", PARTS[0], 1, &[("tommy", PARTS[1])]);
    stage.until(200.0, "poppy gives up", |stage| matches!(stage.outcome("poppy"), Some(Outcome::Failed(_))));
    let Some(Outcome::Failed(why)) = stage.outcome("poppy") else { panic!("it failed") };
    assert!(why.contains("partner"), "{why}");
    assert_eq!(dropped(&stage), 0);
}
