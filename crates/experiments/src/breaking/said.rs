//! Mishaps as scenario entries and as descriptions.

use super::mishap::{Mishap, What, Whom};
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
        What::DriveSlower => partly("slower"),
        What::RadioLossy => partly("lossy"),
        What::DriveDead | What::RadioDead => fault("dead"),
        What::RadioDeaf => fault("deaf"),
        What::RadioMute => fault("mute"),
        What::SensorDead(sensor) => json!({"robot": robot, "sensor": sensor, "fault": "dead"}),
        What::EffectorDead(effector) => json!({"robot": robot, "effector": effector}),
        What::Partition => json!({"group": [robot]}),
        What::Crash | What::EmergencyStop | What::Trap | What::Stop => robot,
        What::ClockFast => json!({"robot": robot, "drift": share}),
        What::ClockSlow => json!({"robot": robot, "drift": format!("-{share}")}),
        What::BatteryDrains => {
            json!({"robot": robot, "drain": format!("{} /s", f64::from(level) / 10_000.0)})
        }
        What::Carried(spot) => json!({"robot": robot, "place": spot.entry()}),
        What::Noise => json!({"rise": format!("{level} dB")}),
        What::Bandwidth => json!({"share": format!("{} %", 100 - level.min(99))}),
        What::JammerOn(object) => json!({"object": object}),
        What::JammerAdded => json!({
            "name": "jammer", "circle": "0.1 m", "at": place, "penetrability": 1,
            "jammer": {"power": format!("{level} dBm")}
        }),
        What::Crate => {
            let side = format!("{} m", hundredths(level));
            json!({"name": "crate", "rectangle": [side, side], "at": place})
        }
        What::Person => json!({"place": place}),
        What::HeavyGround => json!({"factor": hundredths(100 - level.min(89))}),
        What::ItemsMoved(spot) => items(&mishap.whom, "from", level, Some(spot.entry())),
        What::ItemsTaken => items(&mishap.whom, "area", level, None),
    }
}

/// A number of the affected items, and where they go.
fn items(whom: &Whom, key: &str, count: u32, place: Option<Value>) -> Value {
    let Whom::Items { kind, area } = whom else { return Value::Null };
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
        What::DriveSlower => format!("{whose} drive loses {level} % of its speed"),
        What::RadioLossy => format!("{whose} radio loses {level} % of what it sends and receives"),
        What::SensorDead(sensor) => format!("{whose} sensor {sensor} is dead"),
        What::RadioDeaf => format!("{whose} radio is deaf"),
        What::RadioMute => format!("{whose} radio is mute"),
        What::Crash => format!("{whose} software crashes"),
        What::RadioDead => format!("{whose} radio is dead"),
        What::Partition => format!("{who} is cut off from the rest"),
        What::EffectorDead(effector) => format!("{whose} {effector} is dead"),
        What::DriveDead => format!("{whose} drive is dead"),
        What::EmergencyStop => format!("{whose} emergency stop is pressed"),
        What::Trap => format!("{who} is walled in"),
        What::Stop => format!("{who} dies"),
        What::ClockFast => format!("{whose} clock goes {level} % faster"),
        What::ClockSlow => format!("{whose} clock goes {level} % slower"),
        What::BatteryDrains => format!("{whose} battery loses {level} % of its charge every 100 s"),
        What::Carried(spot) => format!("{who} is picked up and put down {}", spot.words()),
        What::Noise => format!("the noise on the air rises by {level} dB"),
        What::Bandwidth => format!("{level} % of the bandwidth is gone"),
        What::JammerOn(object) => format!("{object} jams the radio"),
        What::JammerAdded => format!("a jammer of {level} dBm is put up {who}"),
        What::Crate => format!("a crate {level} cm wide is put down {who}"),
        What::Person => format!("a person comes in {who} and walks about"),
        What::HeavyGround => format!("the ground takes {level} % of {whose} speed"),
        What::ItemsMoved(spot) => format!("{level} {who} {} moved {}", are(level), spot.words()),
        What::ItemsTaken => format!("{level} {who} {} taken away", are(level)),
    }
}

fn are(count: u32) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
