//! When nobody takes a piece of work, the operator is asked; until there is an answer, everything continues unchanged.

use crate::field::{Field, tasks};
use crewlab_onboard::event::key;
use crewlab_onboard::{Body, Event, Message, OPERATOR, Reason, RobotId};
use crewlab_teams::muroco::{MarketMessage, MurocoParams};

const KEEP_TRYING: u8 = 0;
const GIVE_UP: u8 = 1;

/// Three robots and one job that all could do, but for which nobody bids.
fn unwanted(ask_after: u32, loss: f64) -> Field {
    let params = MurocoParams { ask_after, ..MurocoParams::default() };
    let mut field = Field::new(params, tasks(1, &[]), vec![vec![5.0]; 3], 50, 4);
    field.loss = loss;
    set_costs(&mut field, f64::INFINITY);
    field
}

fn set_costs(field: &mut Field, cost: f64) {
    field.robots.iter_mut().for_each(|robot| robot.software.performer.costs.fill(cost));
}

/// The operator sends an answer for one robot to all that hear it.
fn answer(field: &mut Field, to: u16, question: u32, choice: u8) {
    let body = Body::Answer { to: RobotId(to), question, choice };
    let message = Message { from: OPERATOR, number: 1, lamport: 1, body }.encode();
    (0..field.robots.len()).for_each(|listener| field.inject(listener, message.clone()));
}

fn announced(field: &Field) -> Vec<f64> {
    field.events("announced").iter().map(|(at, _)| *at).collect()
}

fn question_of(event: &Event) -> (u32, Vec<&str>) {
    let number = event.number(key::QUESTION).expect("a number") as u32;
    let Some(Reason::Choices(choices)) = &event.reason else { panic!("no choices: {event:?}") };
    (number, choices.iter().map(String::as_str).collect())
}

#[test]
fn work_without_bids_leads_to_one_question() {
    let mut field = unwanted(3, 0.0);
    field.steps(3000);
    let asked = field.events("question");
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].1.words, "nobody bids for single0: keep trying, or give it up?");
    assert_eq!(question_of(asked[0].1), (1, vec!["keep trying", "give up"]));
    let (at, announced) = (asked[0].0, announced(&field));
    assert_eq!(announced.iter().filter(|time| **time < at).count(), 3, "after the third auction");
    assert!(announced.len() > 8, "and it keeps trying");
    let open: Vec<usize> = field.robots.iter().map(|robot| robot.software.questions().len()).collect();
    assert_eq!(open, [1, 0, 0], "the auctioneer's question is open");
}

/// Asking is the only difference: the messages between robots are the same.
#[test]
fn without_an_answer_nothing_changes() {
    for loss in [0.0, 0.3] {
        let said = |ask_after: u32| {
            let mut field = unwanted(ask_after, loss);
            field.steps(600);
            assert_eq!(field.events("question").is_empty(), ask_after == 0);
            set_costs(&mut field, 5.0);
            field.steps(600);
            assert!(field.done());
            let said: Vec<(f64, Option<RobotId>, MarketMessage)> =
                field.robots.iter().flat_map(|robot| robot.said.clone()).collect();
            (said, announced(&field))
        };
        assert_eq!(said(3), said(0), "{loss}");
        assert_eq!(said(1), said(0), "{loss}");
    }
}

#[test]
fn work_given_up_by_the_operator_is_not_auctioned_any_more() {
    let mut field = unwanted(3, 0.0);
    field.steps(200);
    let before = announced(&field).len();
    answer(&mut field, 0, 1, GIVE_UP);
    field.steps(2);
    let told = field.events("answered");
    assert_eq!(told.len(), 1);
    let answered = field.sentence(told[0].1);
    assert!(answered.starts_with("the operator's answer is `give up` to: nobody bids"), "{answered}");
    let why = field.sentence(field.events("given-up")[0].1);
    assert_eq!(why, "the operator has given up single0: it is not auctioned any more");
    // Repeating it changes nothing, and nobody is asked, whatever robots could do now.
    answer(&mut field, 0, 1, KEEP_TRYING);
    set_costs(&mut field, 5.0);
    field.steps(3000);
    assert!(announced(&field).len() <= before + 1, "one may have been under way");
    assert!(!field.done() && field.events("question").len() == 1);
}

#[test]
fn after_the_answer_to_keep_trying_the_next_question_comes_after_twice_as_many_auctions() {
    let mut field = unwanted(2, 0.0);
    let mut counts = Vec::new();
    for question in 1..=3 {
        let auctions = announced(&field).len();
        while field.events("question").len() < question {
            field.step();
            assert!(field.tick < 20_000, "question {question} is asked");
        }
        counts.push(announced(&field).len() - auctions);
        answer(&mut field, 0, question as u32, KEEP_TRYING);
        field.step();
    }
    assert_eq!(counts, [2, 4, 8]);
}

#[test]
fn a_question_is_withdrawn_when_somebody_takes_it_after_all() {
    let mut field = unwanted(1, 0.0);
    field.steps(100);
    assert_eq!(field.robots[0].software.questions().len(), 1);
    set_costs(&mut field, 5.0);
    field.steps(400);
    assert!(field.done());
    assert_eq!(field.events("question-withdrawn").len(), 1);
    assert!(field.robots.iter().all(|robot| robot.software.questions().is_empty()));
    // An answer that comes too late is ignored.
    answer(&mut field, 0, 1, GIVE_UP);
    field.steps(5);
    assert_eq!(field.events("answered").len() + field.events("given-up").len(), 0);
}

#[test]
fn answers_from_others_or_for_others_are_ignored() {
    let mut field = unwanted(1, 0.0);
    field.steps(100);
    answer(&mut field, 1, 1, GIVE_UP);
    answer(&mut field, 0, 9, GIVE_UP);
    answer(&mut field, 0, 1, 7);
    let body = Body::Answer { to: RobotId(0), question: 1, choice: GIVE_UP };
    let forged = Message { from: RobotId(2), number: 900, lamport: 1, body }.encode();
    field.inject(0, forged);
    field.steps(5);
    assert_eq!(field.events("answered").len() + field.events("given-up").len(), 0);
    assert_eq!(field.robots[0].software.questions().len(), 1);
}

/// Tasks for several robots: no robot can do the second part.
#[test]
fn work_without_a_coalition_leads_to_a_question() {
    let tasks = tasks(0, &[2]);
    let params = MurocoParams { ask_after: 2, ..MurocoParams::default() };
    let costs = vec![vec![f64::INFINITY, 5.0, 5.0]; 2];
    let mut field = Field::new(params, tasks, costs, 50, 4);
    set_costs(&mut field, f64::INFINITY);
    field.steps(300);
    let asked = field.events("question");
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].1.words, "no coalition is found for several0: keep trying, or give it up?");
}
