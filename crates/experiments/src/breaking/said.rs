//! Mishaps as scenario entries and as descriptions.

use super::mishap::{Mishap, MishapKind, MishapTarget};
use serde_json::{Value, json};

/// The value of the kind's key in a scenario's `disturbances`.
pub(super) fn entry(mishap: &Mishap) -> Value {
    let level = mishap.level.unwrap_or(50);
    let robot = json!(mishap.whom.robot());
    let share = format!("{level} %");
    let fault = |fault: &str| json!({"robot": robot, "fault": fault});
    let partly = |fault: &str| json!({"robot": robot, "fault": fault, "severity": share});
    let hundredths = |level: u32| f64::from(level) / 100.0;
    let place = mishap.whom.spot().entry();
    match &mishap.what {
        MishapKind::DriveSlower => partly("slower"),
        MishapKind::RadioLossy => partly("lossy"),
        MishapKind::DriveDead | MishapKind::RadioDead => fault("dead"),
        MishapKind::RadioDeaf => fault("deaf"),
        MishapKind::RadioMute => fault("mute"),
        MishapKind::SensorDead(sensor) => json!({"robot": robot, "sensor": sensor, "fault": "dead"}),
        MishapKind::EffectorDead(effector) => json!({"robot": robot, "effector": effector}),
        MishapKind::Partition => json!({"group": [robot]}),
        MishapKind::Crash | MishapKind::EmergencyStop | MishapKind::Trap | MishapKind::Stop => robot,
        MishapKind::ClockFast => json!({"robot": robot, "drift": share}),
        MishapKind::ClockSlow => json!({"robot": robot, "drift": format!("-{share}")}),
        MishapKind::BatteryDrains => {
            json!({"robot": robot, "drain": format!("{} /s", f64::from(level) / 10_000.0)})
        }
        MishapKind::Carried(spot) => json!({"robot": robot, "place": spot.entry()}),
        MishapKind::Noise => json!({"rise": format!("{level} dB")}),
        MishapKind::Bandwidth => json!({"share": format!("{} %", 100 - level.min(99))}),
        MishapKind::JammerOn(object) => json!({"object": object}),
        MishapKind::JammerAdded => json!({
            "name": "jammer", "circle": "0.1 m", "at": place, "penetrability": 1,
            "jammer": {"power": format!("{level} dBm")}
        }),
        MishapKind::Crate => {
            let side = format!("{} m", hundredths(level));
            json!({"name": "crate", "rectangle": [side, side], "at": place})
        }
        MishapKind::Person => json!({"place": place}),
        MishapKind::HeavyGround => json!({"factor": hundredths(100 - level.min(89))}),
        MishapKind::ItemsMoved(spot) => items(&mishap.whom, "from", level, Some(spot.entry())),
        MishapKind::ItemsTaken => items(&mishap.whom, "area", level, None),
    }
}

/// A number of the affected items, and where they go.
fn items(whom: &MishapTarget, key: &str, count: u32, place: Option<Value>) -> Value {
    let MishapTarget::Items { kind, area } = whom else { return Value::Null };
    let mut entry = serde_json::Map::new();
    entry.insert("item".into(), json!(kind));
    entry.insert("count".into(), json!(count));
    entry.extend(area.iter().map(|area| (key.to_string(), json!(area))));
    entry.extend(place.map(|place| ("place".to_string(), place)));
    Value::Object(entry)
}

/// A description without the time: `blue is walled in`.
pub(super) fn words(mishap: &Mishap) -> String {
    let who = mishap.whom.words();
    let whose = format!("{who}'s");
    let level = mishap.level.unwrap_or(50);
    match &mishap.what {
        MishapKind::DriveSlower => format!("{whose} drive loses {level} % of its speed"),
        MishapKind::RadioLossy => format!("{whose} radio loses {level} % of what it sends and receives"),
        MishapKind::SensorDead(sensor) => format!("{whose} sensor {sensor} is dead"),
        MishapKind::RadioDeaf => format!("{whose} radio is deaf"),
        MishapKind::RadioMute => format!("{whose} radio is mute"),
        MishapKind::Crash => format!("{whose} software crashes"),
        MishapKind::RadioDead => format!("{whose} radio is dead"),
        MishapKind::Partition => format!("{who} is cut off from the rest"),
        MishapKind::EffectorDead(effector) => format!("{whose} {effector} is dead"),
        MishapKind::DriveDead => format!("{whose} drive is dead"),
        MishapKind::EmergencyStop => format!("{whose} emergency stop is pressed"),
        MishapKind::Trap => format!("{who} is walled in"),
        MishapKind::Stop => format!("{who} dies"),
        MishapKind::ClockFast => format!("{whose} clock goes {level} % faster"),
        MishapKind::ClockSlow => format!("{whose} clock goes {level} % slower"),
        MishapKind::BatteryDrains => format!("{whose} battery loses {level} % of its charge every 100 s"),
        MishapKind::Carried(spot) => format!("{who} is picked up and put down {}", spot.words()),
        MishapKind::Noise => format!("the noise on the air rises by {level} dB"),
        MishapKind::Bandwidth => format!("{level} % of the bandwidth is gone"),
        MishapKind::JammerOn(object) => format!("{object} jams the radio"),
        MishapKind::JammerAdded => format!("a jammer of {level} dBm is put up {who}"),
        MishapKind::Crate => format!("a crate {level} cm wide is put down {who}"),
        MishapKind::Person => format!("a person comes in {who} and walks about"),
        MishapKind::HeavyGround => format!("the ground takes {level} % of {whose} speed"),
        MishapKind::ItemsMoved(spot) => format!("{level} {who} {} moved {}", are(level), spot.words()),
        MishapKind::ItemsTaken => format!("{level} {who} {} taken away", are(level)),
    }
}

fn are(count: u32) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
