//! The studio without a browser: interventions by hand are recorded, the past can be visited, and a saved scenario reproduces the
//! run.

use crewlab_lab::run::{RunOptions, run};
use crewlab_lab::sim::onboard::RobotId;
use crewlab_live::shelf::{Shelf, ShelfRun};
use crewlab_live::show::View;
use crewlab_live::studio::{Handle, StudioOptions, Want, open};
use crewlab_live::wire::{Command, Layer};
use crewlab_scenario::{Request, load};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

fn request(scenario: &str, sets: &[&str]) -> Request {
    let sets = sets.iter().map(|set| set.to_string()).collect();
    Request { scenario: scenario.into(), sets, ..Request::default() }
}

fn options() -> StudioOptions {
    StudioOptions {
        threads: 1,
        memory: 64 << 20,
        exports: std::env::temp_dir(),
        play: false,
        speed: None,
        compare: None,
        shelf: None,
        key: None,
    }
}

/// A studio, and the number of commands sent to it.
struct Studio(Handle, AtomicU64);

impl Studio {
    fn open(scenario: &str, sets: &[&str]) -> Studio {
        Studio::with(scenario, sets, options())
    }

    fn with(scenario: &str, sets: &[&str], options: StudioOptions) -> Studio {
        let (handle, _) = open(request(scenario, sets), options).expect("a studio");
        handle.wants.set(1, Want::default());
        Studio(handle, AtomicU64::new(0))
    }

    fn ask(&self, command: Value) -> Result<Value, String> {
        let command: Command = serde_json::from_value(command).expect("a command");
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.order(1, command).expect("taken").blocking_recv().expect("an answer")
    }

    fn tell(&self, command: Value) -> Value {
        self.ask(command.clone()).unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    fn disturb(&self, entry: Value) {
        self.tell(json!({"do": "disturb", "entry": entry}));
        self.settle();
    }

    fn deeds(&self) -> Vec<Value> {
        let view = self.view();
        view.deeds.list.iter().map(|deed| serde_json::from_str(deed).expect("JSON")).collect()
    }

    fn view(&self) -> Arc<View> {
        self.0.views.borrow().clone()
    }

    fn status(&self) -> Value {
        serde_json::from_str(&self.view().status).unwrap_or_default()
    }

    /// Waits until the status meets a condition.
    fn until(&self, what: &str, shown: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let status = self.status();
            if shown(&status) {
                return status;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{what} never came: {status}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until the studio has executed all commands.
    fn settle(&self) -> Value {
        // A view from before the last command does not count.
        let orders = self.1.load(Ordering::Relaxed);
        self.until("rest", |status| status["orders"].as_u64() >= Some(orders) && status["busy"].is_null())
    }

    fn step(&self, ticks: u64) -> Value {
        let before = self.settle()["tick"].as_u64().unwrap_or(0);
        self.tell(json!({"do": "step", "ticks": ticks}));
        self.until("the steps", |status| status["tick"].as_u64() >= Some(before + ticks))
    }

    fn seek(&self, time: f64) -> Value {
        self.tell(json!({"do": "seek", "time": time}));
        self.settle()
    }

    /// Saves the run and repeats it from the text; returns the text.
    fn save_and_repeat(&self) -> String {
        self.save_and_repeat_lane(0)
    }

    fn save_and_repeat_lane(&self, lane: usize) -> String {
        let saved = self.tell(json!({"do": "save", "lane": lane}));
        let text = saved["text"].as_str().expect("a text").to_string();
        let again = Request { scenario: "again".into(), text: Some(text.clone()), ..Request::default() };
        let scenario = load(&again).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        let options = RunOptions {
            out: None,
            force: false,
            threads: 1,
            timing: false,
            scan_logs: false,
            stop: Arc::default(),
        };
        let summary = run(&scenario, &options, &mut |_| {}).expect("a run");
        assert_eq!(json!(summary.result_hash), saved["result_hash"], "{text}");
        text
    }
}

#[test]
fn a_run_that_is_only_watched_is_the_run_without_a_viewer() {
    let studio = Studio::open("waste-cleanup", &[]);
    studio.tell(json!({"do": "play"}));
    let status = studio.until("the end", |status| status["lanes"][0]["finished"] == true);
    let scenario = load(&request("waste-cleanup", &[])).expect("a scenario");
    let options = RunOptions {
        out: None,
        force: false,
        threads: 1,
        timing: false,
        scan_logs: false,
        stop: Arc::default(),
    };
    let summary = run(&scenario, &options, &mut |_| {}).expect("a run");
    assert_eq!(status["lanes"][0]["result_hash"], json!(summary.result_hash));
    studio.save_and_repeat();
}

#[test]
fn deeds_are_recorded_and_a_saved_scenario_repeats_them() {
    let studio = Studio::open("waste-cleanup", &[]);
    studio.step(200);
    studio.disturb(json!({"object-added": {"name": "crate", "rectangle": ["1 m", "0.5 m"], "at": [6, 4]}}));
    studio.step(50);
    studio.disturb(json!({"object-moved": {"object": "crate", "to": [5, 4]}}));
    studio.disturb(json!({"take-over": {"robot": "blue", "speed": 1, "turn": 0.2}}));
    studio.step(30);
    studio.disturb(json!({"release": "blue"}));
    studio.disturb(json!({"sensor": {"robot": "gold", "fault": "dead"}, "for": "20 s"}));
    studio.disturb(json!({"stop": "green", "at": "60 s"}));
    studio.step(600);
    studio.disturb(json!({"repair": {"robot": "green"}}));
    studio.step(100);
    assert_eq!(studio.deeds().len(), 7);
    let text = studio.save_and_repeat();
    assert!(text.contains("take-over"), "{text}");
    studio.tell(json!({"do": "play"}));
    studio.until("the end", |status| status["lanes"][0]["finished"] == true);
    studio.save_and_repeat();
}

#[test]
fn going_back_shows_the_past_and_the_same_future_follows() {
    let studio = Studio::open("waste-cleanup", &[]);
    studio.step(300);
    studio.disturb(json!({"drive": {"robot": "gold", "fault": "slower"}}));
    studio.step(400);
    let there = studio.view();
    let hash = studio.tell(json!({"do": "save"}))["result_hash"].clone();
    let end = studio.status()["time"].as_f64().expect("a time");
    for time in [10.0, 65.0, 0.0, 30.0, 30.1, 29.9] {
        let status = studio.seek(time);
        assert!((status["time"].as_f64().unwrap_or(-1.0) - time).abs() < 1e-6, "{status}");
        assert_eq!(status["end"], json!(end), "the run is still as long as it was");
    }
    studio.seek(end);
    let back = studio.view();
    assert_eq!(there.lanes[0].robots, back.lanes[0].robots);
    assert_eq!(there.lanes[0].items, back.lanes[0].items);
    assert_eq!(studio.tell(json!({"do": "save"}))["result_hash"], hash);
    assert_eq!(studio.status()["branches"].as_array().map(Vec::len), Some(1), "looking is no branching");
}

#[test]
fn a_disturbance_in_the_past_begins_a_branch_and_keeps_the_other_unchanged() {
    let studio = Studio::open("waste-cleanup", &[]);
    studio.step(300);
    studio.disturb(json!({"stop": "gold"}));
    studio.step(300);
    let first = studio.tell(json!({"do": "save"}))["result_hash"].clone();
    studio.seek(20.0);
    studio.disturb(json!({"coordinator": "greedy"}));
    let status = studio.step(200);
    assert_eq!((&status["branch"], &status["branches"][1]["parent"]), (&json!(1), &json!(0)));
    assert_eq!(status["branches"][1]["from"], json!(20.0));
    assert_eq!(status["lanes"][0]["coordinator"], "greedy");
    assert_eq!(studio.deeds().len(), 1, "later deeds are not part of this branch");
    let text = studio.save_and_repeat();
    assert!(text.contains("coordinator: greedy"), "{text}");
    studio.tell(json!({"do": "branch", "branch": 0}));
    studio.settle();
    assert_eq!(studio.tell(json!({"do": "save"}))["result_hash"], first);
    studio.save_and_repeat();
}

#[test]
fn a_robot_can_be_added_to_a_run_in_progress() {
    let studio = Studio::open("waste-cleanup", &[]);
    studio.step(250);
    let before = studio.view();
    studio.tell(json!({"do": "add-robot", "like": 1, "place": [6.0, 4.0]}));
    let status = studio.until("the robot", |status| status["tick"] == 251 && status["busy"].is_null());
    assert_eq!(status["branch"], 1);
    studio.step(1);
    let view = studio.view();
    assert_eq!(view.lanes[0].robots.len(), 4);
    assert!(view.lanes[0].scene.contains("gold-2"));
    for (before, now) in before.lanes[0].robots.iter().zip(&view.lanes[0].robots) {
        assert!((before.x - now.x).abs() < 200 && (before.y - now.y).abs() < 200, "nobody jumped");
    }
    studio.step(500);
    studio.save_and_repeat();
}

#[test]
fn two_coordinators_advance_in_step_on_the_same_seed() {
    let studio = Studio::open("waste-cleanup", &[]);
    studio.step(100);
    studio.disturb(json!({"stop": "gold"}));
    studio.step(100);
    studio.tell(json!({"do": "compare", "coordinator": "greedy"}));
    let status = studio.until("two lanes", |status| {
        status["lanes"].as_array().map(Vec::len) == Some(2) && status["busy"].is_null()
    });
    assert_eq!(
        (&status["lanes"][0]["coordinator"], &status["lanes"][1]["coordinator"]),
        (&json!("alliance"), &json!("greedy"))
    );
    studio.step(150);
    let view = studio.view();
    assert_eq!(view.lanes[0].tick, view.lanes[1].tick);
    assert_ne!(view.lanes[0].robots, view.lanes[1].robots);
    for (lane, view) in view.lanes.iter().enumerate() {
        let down = view.robots[1].flags & crewlab_live::show::ROBOT_DOWN;
        assert_ne!(down, 0, "gold is stopped in lane {lane} too");
    }
    let there = studio.view();
    for time in [3.0, 20.0, 33.3] {
        studio.seek(time);
        let view = studio.view();
        assert_eq!(view.lanes[0].tick, view.lanes[1].tick, "in step at {time} s too");
    }
    studio.seek(100.0);
    for (before, now) in there.lanes.iter().zip(&studio.view().lanes) {
        assert_eq!((before.tick, &before.robots), (now.tick, &now.robots));
    }
    let hash = studio.tell(json!({"do": "save", "lane": 1}))["result_hash"].clone();
    assert_ne!(hash, studio.tell(json!({"do": "save", "lane": 0}))["result_hash"]);
    // A deed after the end of one lane applies to the other.
    studio.tell(json!({"do": "play"}));
    let over = |status: &Value, lane: usize| status["lanes"][lane]["finished"] == true;
    studio.until("the end of both", |status| over(status, 0) && over(status, 1));
    let ends: Vec<u64> = studio.view().lanes.iter().map(|lane| lane.tick).collect();
    let status = studio.seek((ends[0] + ends[1]) as f64 / 2.0 * 0.1);
    let longer = usize::from(ends[1] > ends[0]);
    assert!(over(&status, 1 - longer) && !over(&status, longer), "{ends:?} {status}");
    studio.disturb(json!({"drive": {"robot": "blue", "fault": "slower"}}));
    studio.step(50);
    studio.save_and_repeat_lane(longer);
    studio.save_and_repeat_lane(1 - longer);
    studio.tell(json!({"do": "compare", "coordinator": null}));
    studio.until("one lane", |status| status["lanes"].as_array().map(Vec::len) == Some(1));
}

#[test]
fn impossible_commands_are_refused_with_a_reason_and_change_nothing() {
    let studio = Studio::open("waste-cleanup", &[]);
    studio.step(50);
    let hash = studio.tell(json!({"do": "save"}))["result_hash"].clone();
    for (command, said) in [
        (json!({"do": "disturb", "entry": {"stop": "blu"}}), "blue"),
        (json!({"do": "disturb", "entry": {"stop": "blue", "at": "1 s"}}), "in the past"),
        (json!({"do": "disturb", "entry": {"stop": "blue", "every": "1 s"}}), "by hand"),
        (json!({"do": "disturb", "entry": {}}), "missing key"),
        (json!({"do": "disturb", "entry": {"drive": {"robot": "blue", "fault": "melted"}}}), "dead"),
        (json!({"do": "disturb", "entry": {"robot-moved": {"robot": "blue", "place": [99, 99]}}}), "outside"),
        (json!({"do": "seek", "time": -1.0}), "0 s"),
        (json!({"do": "speed", "factor": 0.0}), "times real time"),
        (json!({"do": "step", "ticks": 0}), "ticks"),
        (json!({"do": "branch", "branch": 7}), "no branch 7"),
        (json!({"do": "add-robot", "like": 9, "place": [1.0, 1.0]}), "no robot 9"),
        (json!({"do": "compare", "coordinator": "telepathy"}), "alliance"),
        (json!({"do": "compare", "coordinator": null}), "compared"),
        (json!({"do": "restart", "coordinator": "telepathy"}), "alliance"),
        (json!({"do": "save", "lane": 5}), "no lane 5"),
    ] {
        let refused = studio.ask(command.clone()).expect_err(&command.to_string());
        assert!(refused.contains(said), "{command}: {refused}");
    }
    assert_eq!(studio.tell(json!({"do": "save"}))["result_hash"], hash);
}

#[test]
fn snapshots_stay_within_their_bound() {
    let studio =
        Studio::with("waste-cleanup", &[], StudioOptions { memory: 200_000, play: true, ..options() });
    let status = studio.until("the end", |status| status["lanes"][0]["finished"] == true);
    let bytes = status["snapshots"]["bytes"].as_u64().expect("bytes");
    assert!(bytes <= 200_000, "{status}");
    assert!(bytes > 0, "{status}");
    let status = studio.seek(100.0);
    assert_eq!(status["time"], 100.0);
    studio.save_and_repeat();
}

#[test]
fn a_robot_whose_driver_left_is_given_back_where_it_was_driven() {
    let studio = Studio::open("waste-cleanup", &[]);
    studio.step(100);
    studio.disturb(json!({"take-over": {"robot": "blue", "speed": 1}}));
    studio.step(20);
    let driven = |studio: &Studio| {
        studio.settle();
        studio.view().lanes[0].robots[0].flags & crewlab_live::show::ROBOT_TAKEN_OVER != 0
    };
    assert!(driven(&studio));
    // Somebody else takes it over and the first driver leaves: it is still driven.
    studio.0.wants.set(2, Want::default());
    let entry = json!({"do": "disturb", "entry": {"take-over": {"robot": "blue", "turn": 1}}});
    let command = serde_json::from_value(entry).expect("a command");
    studio.0.order(2, command).expect("taken").blocking_recv().expect("an answer").expect("done");
    studio.0.wants.set(3, Want::default());
    studio.0.wants.forget(1);
    studio.step(10);
    assert!(driven(&studio));
    // While an earlier moment is shown, the run is not changed.
    studio.seek(11.0);
    studio.0.wants.forget(2);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(studio.settle()["branches"].as_array().map(Vec::len), Some(1));
    assert_eq!(studio.deeds().len(), 2);
    studio.seek(100.0);
    studio.until("the release", |_| studio.deeds().len() == 3);
    assert!(!driven(&studio));
    assert_eq!(studio.deeds()[2]["text"], "release: blue");
    studio.save_and_repeat();
}

#[test]
fn no_deed_is_lost_when_the_run_is_repeated() {
    // Short ticks, so that repeating the run takes a while.
    let studio = Studio::open("waste-cleanup", &["run.tick=0.01 s"]);
    studio.step(15_000);
    studio.disturb(json!({"drive": {"robot": "gold", "fault": "slower"}}));
    studio.step(5_000);
    studio.tell(json!({"do": "play"}));
    studio.tell(json!({"do": "disturb", "entry": {"stop": "green"}}));
    studio.tell(json!({"do": "add-robot", "like": 0, "place": [6.0, 4.0]}));
    // The destination cannot be changed before it is reached; later deeds follow the others.
    for command in
        [json!({"do": "seek", "time": 20.0}), json!({"do": "branch", "branch": 0}), json!({"do": "step"})]
    {
        let refused = studio.ask(command).expect_err("not while the run is repeated");
        assert!(refused.contains("busy"), "{refused}");
    }
    studio.tell(json!({"do": "pause"}));
    studio.settle();
    studio.disturb(json!({"repair": {"robot": "gold"}}));
    studio.step(100);
    let texts: Vec<String> = studio.deeds().iter().map(|deed| deed["text"].to_string()).collect();
    assert!(texts.iter().any(|text| text.contains("stop: green")), "{texts:?}");
    studio.save_and_repeat();
}

#[test]
fn a_restart_is_the_run_without_deeds() {
    let studio = Studio::open("waste-cleanup", &[]);
    studio.step(100);
    let plain = studio.tell(json!({"do": "save"}))["result_hash"].clone();
    studio.tell(json!({"do": "add-robot", "like": 0, "place": [6.0, 4.0]}));
    studio.settle();
    studio.disturb(json!({"coordinator": "random"}));
    studio.tell(json!({"do": "restart"}));
    studio.step(100);
    assert_eq!(studio.tell(json!({"do": "save"}))["result_hash"], plain);
    assert_eq!(studio.view().lanes[0].robots.len(), 3);
}

#[test]
fn a_coordinator_that_cannot_start_is_refused_at_once() {
    let studio = Studio::open("diffusion", &["team.robots.0.count=5"]);
    studio.step(20);
    let refused = studio.ask(json!({"do": "disturb", "entry": {"coordinator": "alliance"}}));
    assert!(refused.is_err(), "{refused:?}");
    assert!(studio.deeds().is_empty());
    studio.disturb(json!({"coordinator": "random"}));
    let refused =
        studio.ask(json!({"do": "compare", "coordinator": "greedy"})).expect_err("both would be random");
    assert!(refused.contains("was changed"), "{refused}");
    studio.save_and_repeat();
}

#[test]
fn pausing_ends_a_long_step_and_long_ticks_keep_their_pace() {
    // A mission without an end, and a time limit that the steps do not reach.
    let endless = Studio::open("diffusion", &["team.robots.0.count=5", "run.until=100000 s"]);
    endless.tell(json!({"do": "step", "ticks": 100_000}));
    endless.tell(json!({"do": "pause"}));
    let stopped = endless.settle()["tick"].as_u64();
    assert!(stopped < Some(100_000), "{stopped:?}");
    let studio = Studio::open("waste-cleanup", &["run.tick=0.5 s"]);
    studio.tell(json!({"do": "speed", "factor": 4.0}));
    studio.tell(json!({"do": "play"}));
    let status = studio.until("a measured speed", |status| status["wall"].as_f64() > Some(3.0));
    let factor = status["time"].as_f64().unwrap_or(0.0) / status["wall"].as_f64().unwrap_or(1.0);
    assert!(factor > 3.0, "{status}");
}

#[test]
fn a_paused_run_shows_up_to_date_details() {
    let studio = Studio::open("waste-cleanup", &["radio=wifi-indoor"]);
    studio.step(100);
    let layers = ["links", "plans", "rays", "noise", "field"];
    let layers = layers.map(|layer| serde_json::from_value(json!(layer)).expect("a layer")).to_vec();
    studio.0.wants.set(1, Want { lane: 0, robot: Some(RobotId(1)), layers });
    for tick in 101..120 {
        studio.tell(json!({"do": "step"}));
        studio.until("the look into the robot", |_| {
            let view = studio.view();
            let detail =
                view.lanes[0].details.get(&RobotId(1)).map(|text| serde_json::from_str::<Value>(text));
            detail.is_some_and(|detail| detail.is_ok_and(|detail| detail["tick"] == tick))
        });
    }
    let view = studio.view();
    let detail: Value = serde_json::from_str(&view.lanes[0].details[&RobotId(1)]).expect("a detail");
    assert!(detail["rays"].as_array().is_some_and(|rays| rays.len() >= 36), "{detail}");
    assert!(detail["field"]["costs"].as_array().is_some_and(|costs| costs.len() > 100), "{detail}");
    assert!(detail["percept"].as_array().is_some_and(|percept| percept.len() >= 5), "{detail}");
    let overlay: Value =
        serde_json::from_str(view.lanes[0].overlay.as_deref().expect("layers")).expect("JSON");
    assert_eq!(overlay["links"].as_array().map(Vec::len), Some(3), "{overlay}");
    assert!(overlay["noise"]["dbm"][0].as_f64().is_some_and(|dbm| dbm < -80.0), "{overlay}");
}

#[test]
fn a_plan_is_shown_with_the_stacks_of_all_robots() {
    let studio = Studio::open("formation", &[]);
    let plan = scene(&studio)["plan"].clone();
    let boxes = plan["boxes"].as_array().expect("boxes");
    let place = |name: &str| boxes.iter().position(|one| one["name"] == name).expect("a behaviour");
    assert_eq!((boxes.len(), plan["root"].as_u64()), (22, Some(place("ready") as u64)), "{plan}");
    assert!(plan["routes"].as_array().is_some_and(|routes| routes.iter().any(|route| route["back"] == true)));
    studio.0.wants.set(1, Want { lane: 0, robot: None, layers: vec![Layer::Stacks] });
    let stacks = || {
        let view = studio.view();
        let text = view.lanes[0].overlay.as_deref().unwrap_or("null").to_string();
        serde_json::from_str::<Value>(&text).expect("JSON")["stacks"].clone()
    };
    let mut waited = false;
    // Robots stand up, each in its time, and wait for the slowest.
    for _ in 0..40 {
        studio.step(5);
        studio.until("the stacks", |_| stacks().as_array().is_some_and(|all| all.len() == 3));
        let all = stacks();
        waited |= all.as_array().into_iter().flatten().any(|robot| {
            robot["wait"]["kind"] == "terminate"
                && robot["wait"]["missing"].as_array().is_some_and(|m| !m.is_empty())
        });
    }
    assert!(waited, "nobody ever waited: {}", stacks());
    let walk = json!([place("walk"), place("lead")]);
    assert_eq!(stacks()[0], json!({"robot": 0, "stack": walk, "wait": null}));
}

#[test]
fn without_a_plan_there_are_no_stacks() {
    let studio = Studio::open("waste-cleanup", &["team.coordinator=greedy"]);
    assert_eq!(scene(&studio)["plan"], Value::Null);
}

#[test]
fn robots_draw_on_the_layers_of_their_mission() {
    let studio = Studio::open("convoy", &[]);
    let scene = scene(&studio);
    let names = scene["layers"].as_array().expect("layers").iter().map(|layer| &layer["name"]);
    let places: Vec<&Value> = names.collect();
    let place = |name: &str| places.iter().position(|one| *one == name).expect("a layer") as u8;
    let [circles, effects, distance] = ["sensor-circles", "effects", "wanted-distance"].map(place);
    studio.step(300);
    assert!(studio.view().lanes[0].overlay.is_none(), "nothing is made that nobody asks for");
    let layers =
        vec![Layer::Sketch(circles), Layer::Sketch(effects), Layer::Sketch(distance), Layer::Sketch(200)];
    studio.0.wants.set(1, Want { lane: 0, robot: Some(RobotId(2)), layers });
    let told = |text: Option<&str>| serde_json::from_str::<Value>(text.unwrap_or("null")).expect("JSON");
    studio.until("the layers", |_| {
        let view = studio.view();
        let detail = told(view.lanes[0].details.get(&RobotId(2)).map(|text| &**text));
        view.lanes[0].overlay.is_some() && detail["sketches"].as_array().is_some_and(|all| all.len() == 3)
    });
    let view = studio.view();
    let overlay = told(view.lanes[0].overlay.as_deref());
    let sketches = overlay["sketches"].as_array().expect("sketches");
    let of = |layer: u8| sketches.iter().filter(move |sketch| sketch["layer"] == layer).collect::<Vec<_>>();
    // Seven robots have a sensor circle, each around itself; the vehicle has none.
    assert_eq!(of(circles).len(), 7, "{overlay}");
    for sketch in of(circles) {
        let (mark, at) = (&sketch["marks"][0], &sketch["at"]);
        assert_eq!((&mark[0], &mark[4]), (&json!("circle"), &json!(30.0)), "{sketch}");
        let [dx, dy] =
            [0, 1].map(|d| mark[2 + d].as_f64().expect("a place") - at[d].as_f64().expect("a place"));
        assert!(dx.hypot(dy) < 1.0, "{sketch}");
    }
    // All robots know the same vehicle and the same border.
    let [wanted] = of(distance)[..] else { panic!("{overlay}") };
    assert_eq!(
        (&wanted["robot"], wanted["marks"].as_array().map(Vec::len)),
        (&Value::Null, Some(1)),
        "{wanted}"
    );
    let vehicle = view.lanes[0].robots[0];
    let x = wanted["marks"][0][2].as_f64().expect("a place");
    assert!((x - f64::from(vehicle.x) / 1e3).abs() < 3.0, "{wanted}");
    let [known] = of(effects)[..] else { panic!("{overlay}") };
    let bands = known["marks"].as_array().expect("marks").iter().filter(|mark| mark[0] == "band");
    assert_eq!(bands.count(), 4, "{known}");
}

#[test]
fn a_mission_that_is_sent_reaches_the_robots_and_is_saved() {
    let studio = Studio::open("exploration", &[]);
    studio.step(50);
    assert_eq!(studio.status()["lanes"][0]["operator"], json!([]));
    studio.disturb(json!({"task-priority": {"task": "connect", "weight": 2.5}}));
    studio.disturb(json!({"task-added": "connect"}));
    studio.disturb(json!({"task-cancelled": "explore"}));
    let status = studio.step(100);
    assert_eq!(status["lanes"][0]["operator"], json!([[0, false, 1.0], [2, true, 2.5]]));
    let traces = json!([{"sketch": 1}]);
    let layers: Vec<Layer> = serde_json::from_value(traces).expect("layers");
    studio.0.wants.set(1, Want { lane: 0, robot: None, layers });
    studio.until("the layer", |_| studio.view().lanes[0].overlay.is_some());
    let overlay = studio.view().lanes[0].overlay.clone().unwrap_or_else(|| "".into());
    let overlay: Value = serde_json::from_str(&overlay).expect("JSON");
    assert_eq!(overlay["sketches"], json!([]), "nobody explores any more");
    let text = studio.save_and_repeat();
    assert!(text.contains("task-priority") && text.contains("task-cancelled"), "{text}");
}

#[test]
fn an_export_has_everything_that_a_run_leaves_behind() {
    let folder = std::env::temp_dir().join(format!("crewlab-export-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let studio = Studio::with("waste-cleanup", &[], StudioOptions { exports: folder.clone(), ..options() });
    studio.step(300);
    studio.disturb(json!({"stop": "gold"}));
    let exported = studio.tell(json!({"do": "export"}));
    let again = studio.tell(json!({"do": "export"}));
    assert_ne!(exported["folder"], again["folder"], "nothing is replaced");
    assert_eq!(exported["result_hash"], studio.tell(json!({"do": "save"}))["result_hash"]);
    let out = std::path::PathBuf::from(exported["folder"].as_str().expect("a folder"));
    for file in ["report.html", "summary.json", "events.csv", "scenario.yaml", "manifest.json"] {
        assert!(out.join(file).is_file(), "{file}");
    }
    std::fs::remove_dir_all(folder).expect("ours");
}

/// Runs to choose from; the one named `slow` is not available before the gate opens.
#[derive(Debug)]
struct Runs(std::sync::Mutex<()>);

impl Shelf for Runs {
    fn title(&self) -> String {
        "some runs".into()
    }

    fn list(&self) -> Vec<ShelfRun> {
        let entry =
            |key: &str| ShelfRun { key: key.into(), title: format!("the {key} one"), note: String::new() };
        ["janitor", "greedy", "broken", "slow"].map(entry).into()
    }

    fn run(&self, key: &str) -> Result<Request, String> {
        match key {
            "janitor" => Ok(Request { seed: Some(3), ..request("janitorial", &[]) }),
            "greedy" => Ok(request("waste-cleanup", &["team.coordinator=greedy"])),
            "broken" => Ok(request("waste-cleanup", &["team.coordinator=nobody"])),
            "slow" => {
                let _gate = self.0.lock().expect("a gate");
                Ok(request("waste-cleanup", &[]))
            }
            _ => Err(format!("there is no run `{key}`")),
        }
    }
}

fn with_runs(options: StudioOptions) -> (Studio, Arc<Runs>) {
    let runs = Arc::new(Runs(std::sync::Mutex::new(())));
    let options = StudioOptions { shelf: Some(runs.clone()), ..options };
    (Studio::with("waste-cleanup", &[], options), runs)
}

fn scene(studio: &Studio) -> Value {
    serde_json::from_str(&studio.view().lanes[0].scene).expect("JSON")
}

/// The result of a run without a studio.
fn plain(request: &Request) -> Value {
    let options = RunOptions {
        out: None,
        force: false,
        threads: 1,
        timing: false,
        scan_logs: false,
        stop: Arc::default(),
    };
    json!(run(&load(request).expect("a scenario"), &options, &mut |_| {}).expect("a run").result_hash)
}

#[test]
fn another_run_replaces_the_current_one_and_its_deeds() {
    let (studio, runs) = with_runs(StudioOptions { compare: Some("greedy".into()), ..options() });
    assert_eq!(scene(&studio)["run"], Value::Null);
    studio.step(100);
    studio.disturb(json!({"stop": "green"}));
    studio.step(50);
    studio.seek(5.0);
    studio.disturb(json!({"stop": "blue"}));
    assert_eq!(studio.settle()["branches"].as_array().map(Vec::len), Some(2));
    let before = studio.view().lanes[0].epoch;
    // A viewer watches a robot and a lane that the other run does not have.
    studio
        .0
        .wants
        .set(2, Want { lane: 1, robot: Some(RobotId(2)), layers: vec![Layer::Links, Layer::Field] });
    studio
        .0
        .wants
        .set(3, Want { lane: 0, robot: Some(RobotId(99)), layers: vec![Layer::Rays, Layer::Noise] });
    studio.tell(json!({"do": "open", "key": "janitor"}));
    let status = studio.settle();
    assert_eq!(
        (&status["tick"], &status["end_tick"], &status["playing"]),
        (&json!(0), &json!(0), &json!(false))
    );
    assert_eq!(status["branches"].as_array().map(Vec::len), Some(1));
    assert_eq!(status["lanes"].as_array().map(Vec::len), Some(1), "nothing is compared any more");
    assert_eq!(studio.deeds(), Vec::<Value>::new());
    assert!(studio.view().lanes[0].epoch > before, "viewers must discard their data");
    let shown = scene(&studio);
    assert_eq!(
        (&shown["run"], &shown["name"], &shown["seed"]),
        (&json!("janitor"), &json!("janitorial"), &json!(3))
    );
    studio.tell(json!({"do": "play"}));
    let status = studio.until("the end", |status| status["lanes"][0]["finished"] == true);
    assert_eq!(status["lanes"][0]["result_hash"], plain(&runs.run("janitor").expect("a run")));
    // A restart repeats the opened run; with another seed it is not on the shelf.
    studio.tell(json!({"do": "restart"}));
    studio.settle();
    assert_eq!((&scene(&studio)["run"], &scene(&studio)["seed"]), (&json!("janitor"), &json!(3)));
    studio.tell(json!({"do": "restart", "seed": 4}));
    studio.settle();
    assert_eq!((&scene(&studio)["run"], &scene(&studio)["name"]), (&Value::Null, &json!("janitorial")));
}

#[test]
fn a_run_that_cannot_be_opened_changes_nothing() {
    let (studio, _) = with_runs(options());
    studio.step(100);
    studio.disturb(json!({"stop": "green"}));
    let before = studio.settle();
    for (key, words) in [
        ("nothing", "there is no run `nothing`; there are: `janitor`, `greedy`, `broken`, `slow`"),
        ("broken", "nobody"),
    ] {
        let error = studio.ask(json!({"do": "open", "key": key})).expect_err("no such run");
        assert!(error.contains(words), "{error}");
    }
    let after = studio.settle();
    for part in ["tick", "lanes", "branches"] {
        assert_eq!(after[part], before[part]);
    }
    assert_eq!(studio.deeds().len(), 1);
    studio.save_and_repeat();
    let without = Studio::open("waste-cleanup", &[]);
    let error = without.ask(json!({"do": "open", "key": "janitor"})).expect_err("no shelf");
    assert!(error.contains("crewlab live FOLDER"), "{error}");
}

#[test]
fn the_run_continues_while_another_one_is_loaded() {
    let (studio, runs) = with_runs(StudioOptions { play: true, ..options() });
    let gate = runs.0.lock().expect("a gate");
    let slow: Command = serde_json::from_value(json!({"do": "open", "key": "slow"})).expect("a command");
    let mut answer = studio.0.order(1, slow).expect("taken");
    let status = studio.until("the loading", |status| status["busy"] == "opening a run");
    let error = studio.ask(json!({"do": "open", "key": "greedy"})).expect_err("one after the other");
    assert!(error.contains("being opened"), "{error}");
    studio.tell(json!({"do": "pause"}));
    studio.tell(json!({"do": "step", "ticks": 3}));
    studio
        .until("three ticks", |later| later["tick"].as_u64() >= status["tick"].as_u64().map(|tick| tick + 3));
    assert!(answer.try_recv().is_err(), "it is not there yet");
    drop(gate);
    assert_eq!(answer.blocking_recv().expect("an answer"), Ok(Value::Null));
    // It plays, as the options say, although the previous run was paused.
    studio.until("the other run", |status| status["busy"].is_null() && status["playing"] == true);
    assert_eq!(scene(&studio)["run"], "slow");
}
