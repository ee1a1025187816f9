//! Persons in a scan: whoever walks about is no wall that a robot could locate itself by.

use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{Scan, Situation};

/// The sensor that sees persons.
const DETECTOR: &str = "person-detector";
/// An echo this near to a person's rim is the person's: the sensors are not exact, and take their readings at different times. [m]
const BLUR: f64 = 0.2;

/// The ranges of a scan, with none where persons are seen; `None` if nobody is in view.
pub(crate) fn without_persons(scan: &Scan, situation: &Situation) -> Option<Vec<f64>> {
    let sheet = &situation.me.datasheet;
    let persons = situation.percept.sightings(sheet.sensor(DETECTOR)?);
    if persons.is_empty() {
        return None;
    }
    let discs =
        persons.iter().map(|person| (Vec2::unit(person.bearing) * person.distance, person.extent + BLUR));
    let discs: Vec<(Vec2, f64)> = discs.collect();
    let anybody = |end: Vec2| discs.iter().any(|(middle, radius)| middle.distance(end) < *radius);
    let ends = scan.ends(sheet.radius, |_| true).zip(scan.ranges);
    Some(ends.map(|(end, range)| if anybody(end) { f64::NAN } else { *range }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::{
        Datasheet, Identity, NoRadio, Percept, Reading, RobotId, Sense, SensorSheet, Sighting, Time,
    };
    use std::sync::Arc;

    #[test]
    fn only_what_is_near_a_person_is_left_out() {
        let detector = SensorSheet { name: DETECTOR.into(), kind: DETECTOR.into(), ..SensorSheet::default() };
        let datasheet = Datasheet {
            radius: 0.3,
            max_speed: 1.0,
            max_turn: 1.0,
            sensors: vec![detector],
            effectors: Vec::new(),
            further: Vec::new(),
        };
        let me = Identity {
            id: RobotId(0),
            name: "ace".into(),
            robot_type: "ace".into(),
            priority: 0,
            datasheet: Arc::new(datasheet),
            behaviours: Arc::new([]),
            floor_plan: Default::default(),
            slam: Default::default(),
        };
        let ranges_with = |sightings: Vec<Sighting>| {
            let sense = Sense { reading: Reading::Sightings(sightings), ..Sense::default() };
            let percept = Percept { senses: vec![sense], ..Percept::default() };
            let situation = Situation {
                now: Time::ZERO,
                dt: 0.1,
                me: &me,
                tasks: &[],
                percept: &percept,
                radio: &NoRadio,
            };
            without_persons(&Scan::new(&[0.0, 0.5, 0.0], &[1.5, 1.5, 4.0], 10.0), &situation)
        };
        assert_eq!(ranges_with(Vec::new()), None);
        let anna = Sighting {
            kind: "anna".into(),
            bearing: 0.0,
            distance: 2.0,
            extent: 0.25,
            inside: false,
            heading: None,
        };
        let ranges = ranges_with(vec![anna]).expect("somebody is in view");
        assert!(ranges[0].is_nan() && ranges[1..] == [1.5, 4.0], "{ranges:?}");
    }
}
