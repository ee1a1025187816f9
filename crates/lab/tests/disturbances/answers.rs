//! Robots' questions and the operator's answers.

use super::whens::outside;
use super::{ASKING, Run, disturbed};
use crewlab_lab::sim::onboard::{Question, RobotId};
use crewlab_sim::onboard::EventKind;

fn open(run: &Run) -> Vec<(RobotId, Question)> {
    run.simulation.state.questions().map(|(robot, question)| (robot, question.clone())).collect()
}

fn answer(choice: &str) -> String {
    format!(r#"{{"at": 0, "answer": {{"robot": "blue", "question": 1, "choice": "{choice}"}}}}"#)
}

/// Number of announcements of the other spill from this time on.
fn announced(run: &Run, since: f64) -> usize {
    let told = run
        .log
        .iter()
        .filter(|l| l.event.kind == EventKind::Announced && run.sentence(l).contains("move-spill"));
    told.filter(|l| l.time.seconds() > since).count()
}

#[test]
pub fn an_answer_reaches_the_robot_that_asked_over_a_lossy_radio() {
    let sets: Vec<&str> = ASKING.into_iter().chain(["radio.loss=0.5"]).collect();
    let mut run = disturbed("", &sets);
    let asked = run.await_event("question", 600.0);
    let questions = open(&run);
    let (robot, question) = &questions[0];
    assert_eq!(
        (*robot, question.number, question.choices.as_slice()),
        (RobotId(0), 1, &["keep trying".into(), "give up".into()][..])
    );
    assert!(question.text.starts_with("nobody bids for move-spill-"), "{}", question.text);
    assert!((question.asked.seconds() - asked).abs() < 0.2);
    assert_eq!(
        question.task.map(|task| run.simulation.model.task_name(task)),
        question.text.split([' ', ':']).nth(3)
    );
    run.simulation.inject(&outside(&answer("give up"))).expect("it fits");
    let answered = run.await_event("answered", asked + 10.0);
    assert!(open(&run).iter().all(|(_, open)| open.number != question.number));
    assert_eq!(run.times("given-up").len(), 1);
    run.to(answered + 100.0);
    assert_eq!(run.times("answered").len(), 1, "the operator sent it eight times, and it counts once");
    // Blue may still win the work that it is doing now; only that one spill is not auctioned.
    let title = question.text.split([' ', ':']).nth(3).expect("a task").to_string();
    let later =
        run.log.iter().filter(|l| l.time.seconds() > answered + 2.0 && l.event.kind == EventKind::Announced);
    assert!(later.filter(|l| run.sentence(l).contains(&title)).count() == 0);
    let told = run.log.iter().find(|l| l.event.kind == EventKind::Disturbance).expect("the answer");
    assert!(
        told.event.words.starts_with("the operator answers `give up` to question 1 of blue"),
        "{}",
        told.event.words
    );
}

#[test]
pub fn an_answer_waits_for_its_question_and_must_be_one_of_the_choices() {
    let answers = "{at: 1 s, answer: {robot: blue, question: 1, choice: keep trying}}, \
                   {at: 1 s, answer: {robot: blue, question: 2, choice: maybe}}";
    let mut run = disturbed(answers, &ASKING);
    let asked = run.await_event("question", 600.0);
    run.to(asked + 2.0);
    assert_eq!(run.times("answered").len(), 1);
    run.to(asked + 400.0);
    assert!(announced(&run, asked) > 2, "it keeps trying");
    let waits: Vec<&str> = run
        .log
        .iter()
        .filter(|l| l.event.kind == EventKind::DisturbanceDelayed)
        .map(|l| &*l.event.words)
        .collect();
    assert_eq!(waits[0], "answer waits: blue has no open question 1");
    assert_eq!(waits[1], "answer waits: blue has no open question 2");
}

#[test]
pub fn a_restart_or_another_coordinator_clears_questions() {
    for event in [r#"{"at": 0, "for": 5, "crash": "blue"}"#, r#"{"at": 0, "coordinator": "greedy"}"#] {
        let mut run = disturbed("", &ASKING);
        run.await_event("question", 600.0);
        run.simulation.inject(&outside(event)).expect("it fits");
        run.tick();
        assert!(open(&run).is_empty(), "{event}");
        run.simulation.inject(&outside(&answer("give up"))).expect("it fits");
        let now = run.simulation.now().seconds();
        run.to(now + 4.0);
        assert_eq!(run.times("given-up").len(), 0, "{event}");
    }
}

/// Asking the operator does not change any robot's actions.
#[test]
fn asking_changes_nothing_but_the_log() {
    let world = |ask: &str| {
        let sets: Vec<&str> = ASKING.into_iter().chain([ask]).collect();
        let mut run = disturbed("", &sets);
        run.to(300.0);
        let poses: Vec<_> = run.simulation.state.world.bodies.iter().map(|body| body.pose).collect();
        run.log.retain(|l| !l.event.kind.name().starts_with("question"));
        (poses, run.log)
    };
    assert_eq!(world("team.muroco.ask-after=3"), world("team.muroco.ask-after=0"));
}
