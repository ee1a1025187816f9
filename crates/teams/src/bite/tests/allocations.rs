//! A tick in which nothing changes takes no memory.

use super::script::{Crew, Scripted, plan};
use crate::bite::talk::BiteMessage;
use crewlab_onboard::{RobotId, Stream, StreamKind, Time};
use serde_json::json;

#[test]
fn a_tick_in_which_nothing_changes_allocates_nothing() {
    let text = json!({
        "graph": {"root": "all", "nodes": {
            "all": {"children": ["left", "right"], "until": "colour > 5"},
            "left": {"children": ["l1", "l2"], "next": ["l3", "l4"]}, "l1": {}, "l2": {}, "l3": {"when": "colour > 1"}, "l4": {},
            "right": {}
        }},
        "protocols": {"allocate": "by-id"}
    });
    let mut crew = Crew::new(plan(text, &["a", "b", "c"]), 3);
    crew.steps(60);
    assert!(crew.stacks().iter().all(|stack| stack.starts_with("all > ")), "{:?}", crew.stacks());
    let (mut quiet, mut say) = (0, Vec::with_capacity(64));
    let mut heard = std::mem::replace(&mut crew.said, vec![Vec::new(); 3]);
    for tick in 60..120u64 {
        let now = Time::from_seconds(tick as f64 * 0.1);
        let mut said = vec![Vec::new(); 3];
        for (place, said) in said.iter_mut().enumerate() {
            let engine = &mut crew.engines[place];
            for (from, talks) in heard.iter().enumerate().filter(|(from, _)| *from != place) {
                for talk in talks {
                    let message =
                        BiteMessage { plan: engine.plan().graph.version, life: 0, talk: Clone::clone(talk) };
                    engine.hear(now, RobotId(from as u16), message, &mut say);
                }
            }
            assert!(say.is_empty(), "nothing is answered");
            let random = Stream::new(3, StreamKind::Decisions, place as u32, tick);
            let mut local = Scripted { answers: &mut crew.answers[place], random };
            let used = allocation_counter::measure(|| engine.tick(now, &[], &mut local, &mut say));
            if say.is_empty() {
                quiet += 1;
                assert_eq!(used.count_total, 0, "robot {place}, tick {tick}");
            }
            said.append(&mut say);
        }
        heard = said;
    }
    assert!(quiet > 100, "{quiet} ticks without a word");
}
