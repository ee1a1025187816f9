//! Viewers see the same, and what they see is the state of the run.

use super::client::{LONG, Lab, Viewer, request};
use crewlab_scenario::Request;
use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn viewers_see_the_same_pictures_and_events_whenever_they_come() {
    let lab = Lab::open(request(&[]), Some(100.0));
    let mut first = lab.viewer().await;
    assert_eq!(first.ask(json!({"do": "play"})).await["ok"], true);
    while first.frames < 20 {
        first.look().await;
    }
    let mut second = lab.viewer().await;
    while second.frames < 20 {
        second.look().await;
    }
    // The first viewer has not read for a while: it gets the latest view, not all of them.
    assert_eq!(second.ask(json!({"do": "pause"})).await["ok"], true);
    let tick = lab.standstill().await;
    let mut third = lab.viewer().await;
    for viewer in [&mut first, &mut second, &mut third] {
        viewer.reach(tick).await;
        viewer.settle().await;
    }
    let truth = lab.handle.views.borrow().lanes[0].clone();
    assert!(truth.tick > 100);
    for viewer in [&first, &second, &third] {
        let seen = &viewer.pictures[0];
        assert_eq!((seen.epoch, seen.tick), (truth.epoch, truth.tick));
        assert_eq!((&seen.robots, &seen.items), (&truth.robots, &truth.items));
    }
    assert_eq!(third.frames, 1, "a late viewer gets one complete picture");
    assert!(first.events.len() > 3);
    assert_eq!(first.events, second.events);
    assert_eq!(first.events, third.events);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_viewer_of_a_paused_run_is_sent_nothing() {
    let lab = Lab::open(request(&[]), None);
    let mut viewer = lab.viewer().await;
    viewer.settle().await;
    let frames = viewer.frames;
    assert_eq!(viewer.ask(json!({"do": "step"})).await["ok"], true);
    viewer.reach(1).await;
    viewer.settle().await;
    assert_eq!(viewer.frames, frames + 1);
    assert_eq!(viewer.pictures[0].tick, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_viewer_gets_details_of_a_watched_robot_and_all_its_levels() {
    let lab = Lab::open(request(&[]), None);
    let mut viewer = lab.viewer().await;
    assert_eq!(viewer.ask(json!({"do": "step", "ticks": 100})).await["ok"], true);
    viewer.reach(100).await;
    let watch = |robot: Option<usize>| json!({"do": "watch", "lane": 0, "robot": robot, "layers": []});
    // Away and back at once: the page has discarded its data.
    for robot in [Some(0), Some(1), Some(0)] {
        viewer.ask(watch(robot)).await;
    }
    let told = async {
        let (mut detail, mut chart) = (None, None);
        while detail.is_none() || chart.is_none() {
            if let Some(message) = viewer.look().await.filter(|message| message["robot"] == 0) {
                match message["type"].as_str() {
                    Some("detail") => detail = Some(message),
                    Some("chart") => chart = Some(message),
                    _ => {}
                }
            }
        }
        chart
    };
    let chart = timeout(LONG, told).await.expect("a detail and a chart").unwrap();
    assert_eq!(chart["fresh"], true);
    assert_eq!(chart["rows"][0][0], 0.1, "from the first tick on: {chart}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_viewer_sees_where_the_box_is_that_robots_push() {
    let lab = Lab::open(Request { scenario: "box-pushing".into(), ..Request::default() }, None);
    let mut viewer = lab.viewer().await;
    let first = told_corners(&mut viewer).await;
    // After 20 s the robots are behind the box and have pushed it ahead.
    viewer
        .socket
        .send(Message::from(json!({"do": "step", "ticks": 200, "id": 1}).to_string()))
        .await
        .unwrap();
    let pushed = async {
        loop {
            let corners = told_corners(&mut viewer).await;
            if corners[0][0].as_f64() > first[0][0].as_f64().map(|x| x + 0.2) {
                return corners;
            }
        }
    };
    let seen = timeout(LONG, pushed).await.expect("a box that is pushed");
    assert_eq!(seen.as_array().map(Vec::len), Some(4), "still a box: {seen}");
}

/// The corners of the first object in the next message about things.
async fn told_corners(viewer: &mut Viewer) -> Value {
    loop {
        if let Some(message) = viewer.look().await.filter(|message| message["type"] == "things") {
            return message["objects"][0]["outline"]["polygon"].clone();
        }
    }
}
