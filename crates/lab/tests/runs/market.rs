//! Auctions and losses, derived from events.

use super::{finished, scenario, simulation};
use crewlab_lab::auctions::{self, Auction, AuctionOutcome, Market, Telling};
use crewlab_lab::run::{RunOptions, Succession, Summary, run};
use crewlab_lab::sim::onboard::event::key;
use crewlab_lab::sim::onboard::{Bid, Event, EventKind, RobotId, TaskId, Term, Time};
use crewlab_lab::sim::{Logged, Model};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The content of an invented event.
#[derive(Clone, Copy)]
enum Fact {
    Subject(u32),
    Number(&'static str, f64),
    PriceOf(u16, f64),
    Bids(u16, TaskId, f64),
    Wins(u16, TaskId, f64),
}
use Fact::{Bids, Number, PriceOf, Subject, Wins};

const BLUE: u16 = 0;
const GOLD: u16 = 1;
const GREEN: u16 = 2;

/// A market that processes invented events.
struct Stage {
    model: Model,
    market: Market,
}

const FIND: TaskId = TaskId(0);
const TOP: TaskId = TaskId(1);
const BOTTOM: TaskId = TaskId(2);

impl Stage {
    /// Three robots (blue, gold, green); the first task can be done by two of them together.
    fn new() -> Stage {
        let mut model = Arc::unwrap_or_clone(simulation("waste-cleanup", 1, &[]).model);
        model.tasks[0] = model.tasks[0].clone().together("side by side", &[TOP, BOTTOM]);
        Stage { market: Market::default(), model }
    }

    fn tell(&mut self, at: f64, robot: u16, kind: &'static str, task: TaskId, facts: &[Fact]) {
        let known = EventKind::ALL.iter().find(|known| known.name() == kind).expect("a kind");
        let mut event = Event::new(*known).saying(format!("because of {kind}"));
        event.task = Some(task);
        for fact in facts {
            match *fact {
                Subject(subject) => event.subject = subject,
                Number(name, value) => event.terms.push(Term { name, of: None, value }),
                PriceOf(robot, value) => {
                    event.terms.push(Term { name: key::PRICE, of: Some(RobotId(robot)), value });
                }
                Bids(robot, part, value) => {
                    event.bids.push(Bid { robot: RobotId(robot), part, value, won: false });
                }
                Wins(robot, part, value) => {
                    event.bids.push(Bid { robot: RobotId(robot), part, value, won: true });
                }
            }
        }
        let logged = Logged { time: Time::from_seconds(at), robot: Some(RobotId(robot)), event };
        self.market.tick(&[logged], &self.model);
    }

    fn rows(&self) -> Vec<&Auction> {
        self.market.auctions().collect()
    }
}

#[test]
fn an_award_is_followed_to_its_end() {
    let mut stage = Stage::new();
    stage.tell(1.0, 0, "issued", TOP, &[Number(key::UTILITY, 600.0)]);
    let bids = [
        Number(key::ROUND, 1.0),
        Bids(BLUE, TOP, 500.0),
        Wins(GOLD, TOP, 510.0),
        Number(key::VALUE, 510.0),
        Number(key::PRICE, 500.0),
    ];
    stage.tell(2.0, 0, "auction", TOP, &bids);
    assert_eq!(stage.rows()[0].outcome, AuctionOutcome::Awarded);
    stage.tell(3.0, 1, "activated", TOP, &[]);
    assert_eq!(stage.rows()[0].outcome, AuctionOutcome::UnderWay);
    stage.tell(9.0, 0, "re-announced", TOP, &[]);
    stage.tell(
        10.0,
        0,
        "auction",
        TOP,
        &[Number(key::ROUND, 2.0), Wins(BLUE, TOP, 480.0), Number(key::VALUE, 480.0)],
    );
    stage.tell(11.0, 0, "activated", TOP, &[]);
    stage.tell(20.0, 0, "done", TOP, &[]);
    stage.tell(21.0, 0, "completed", TOP, &[Number(key::REWARD, 450.0)]);
    let rows = stage.rows();
    let (first, second) = (rows[0], rows[1]);
    assert_eq!((first.bids.as_str(), first.winners.as_str()), ("gold 510.0, blue 500.0", "gold"));
    assert_eq!((first.plan.as_str(), first.price, first.again), ("alone", Some(500.0), false));
    assert_eq!((first.outcome, first.ended_s), (AuctionOutcome::OpenAgain, Some(9.0)));
    assert_eq!((second.again, second.again_why.as_str()), (true, "because of re-announced"));
    assert_eq!((second.outcome, second.ended_s), (AuctionOutcome::Completed, Some(20.0)));
    let summary = stage.market.summary().expect("a market");
    assert_eq!((summary.auctions, summary.re_auctions, summary.no_sales), (2, 1, 0));
    assert_eq!((summary.issued, summary.completed, summary.performance), (1, 1, Some(0.75)));
}

#[test]
fn coalitions_have_a_plan_and_are_done_when_all_parts_are_done() {
    let mut stage = Stage::new();
    let whole = TaskId(0);
    let terms = [
        Wins(BLUE, TOP, 3.0),
        Bids(GREEN, BOTTOM, 4.0),
        Wins(GOLD, BOTTOM, 5.0),
        Number(key::GAP, 0.05),
        PriceOf(BLUE, 1.0),
        PriceOf(GOLD, 1.5),
        Number(key::VALUE, 8.0),
    ];
    stage.tell(1.0, 2, "auction", whole, &terms);
    let row = stage.rows()[0].clone();
    assert_eq!(row.bids, "move-spill-top: blue 3.0; move-spill-bottom: gold 5.0, green 4.0");
    assert_eq!((row.winners.as_str(), row.plan.as_str()), ("blue, gold", "side by side"));
    assert_eq!((row.price, row.gap), (Some(2.5), Some(0.05)));
    assert_eq!(row.award(), "blue, gold as side by side for 8.0 (price 2.5, at most 5.00 % below the best)");
    // A robot starts with its part, which is another task than the whole.
    stage.tell(2.0, 0, "activated", TOP, &[]);
    stage.tell(5.0, 0, "done", whole, &[]);
    assert_eq!(stage.rows()[0].outcome, AuctionOutcome::UnderWay);
    stage.tell(6.0, 1, "done", whole, &[]);
    assert_eq!((stage.rows()[0].outcome, stage.rows()[0].ended_s), (AuctionOutcome::Completed, Some(6.0)));
}

/// Only awards to two or more robots with a known outcome count.
#[test]
fn a_coalition_is_stable_if_it_completes_its_award() {
    let mut stage = Stage::new();
    let whole = TaskId(0);
    let couple = |subject: u32| [Subject(subject), Wins(BLUE, TOP, 3.0), Wins(GOLD, BOTTOM, 5.0)];
    assert_eq!(stage.market.coalitions(), (0, 0));
    stage.tell(1.0, 2, "auction", whole, &couple(1));
    assert_eq!(stage.market.coalitions(), (0, 0), "nothing is known yet");
    stage.tell(4.0, 0, "done", whole, &[Subject(1)]);
    stage.tell(5.0, 1, "done", whole, &[Subject(1)]);
    assert_eq!(stage.market.coalitions(), (1, 1));
    // One fails and the piece goes to a single robot, which completes it: the coalition did not.
    stage.tell(6.0, 2, "auction", whole, &couple(2));
    stage.tell(7.0, 2, "re-announced", whole, &[Subject(2)]);
    stage.tell(8.0, 2, "auction", whole, &[Subject(2), Wins(GREEN, FIND, 1.0)]);
    stage.tell(9.0, 2, "done", whole, &[Subject(2)]);
    assert_eq!(stage.market.coalitions(), (2, 1));
    // Work that is no longer wanted does not count.
    stage.tell(10.0, 2, "auction", whole, &couple(3));
    stage.tell(11.0, 2, "withdrawn", whole, &[Subject(3)]);
    assert_eq!(stage.market.coalitions(), (2, 1));
}

#[test]
fn a_first_auction_without_a_taker_is_no_repetition_and_is_reported_once() {
    let mut stage = Stage::new();
    let piece = [Subject(7)];
    stage.tell(1.0, 0, "issued", BOTTOM, &piece);
    for at in [2.0, 4.0, 6.0] {
        stage.tell(at, 0, "no-sale", BOTTOM, &piece);
    }
    stage.tell(8.0, 0, "auction", BOTTOM, &[Subject(7), Wins(GOLD, BOTTOM, 1.0)]);
    stage.tell(9.0, 1, "rejected", BOTTOM, &piece);
    stage.tell(9.5, 0, "re-announced", BOTTOM, &piece);
    stage.tell(10.0, 0, "no-sale", BOTTOM, &piece);
    stage.tell(11.0, 0, "no-sale", BOTTOM, &piece);
    stage.tell(12.0, 0, "auction", BOTTOM, &[Subject(7), Wins(BLUE, BOTTOM, 1.0)]);
    let rows = stage.rows();
    let again: Vec<bool> = rows.iter().map(|row| row.again).collect();
    assert_eq!(again, [false, false, false, false, true, true, true]);
    assert_eq!(
        (rows[3].outcome, rows[3].title()),
        (AuctionOutcome::Rejected, "move-spill-bottom 7".to_string())
    );
    let summary = stage.market.summary().expect("a market");
    // It came back once, however often it was auctioned then.
    assert_eq!((summary.auctions, summary.re_auctions, summary.no_sales), (7, 1, 5));
    assert_eq!((summary.rejected, summary.performance), (1, None));
    let mut telling = Telling::default();
    assert_eq!(rows.into_iter().filter(|row| telling.tells(row)).count(), 4);
    assert_eq!(telling.left_out, 3);
}

#[test]
fn a_reissued_task_is_no_repeated_auction() {
    let mut stage = Stage::new();
    for start in [0.0, 100.0] {
        stage.tell(start, 0, "issued", TOP, &[]);
        // The next auctioneer takes over the piece, too.
        stage.tell(start + 0.5, 1, "issued", TOP, &[]);
        stage.tell(start + 1.0, 0, "auction", TOP, &[Wins(GOLD, TOP, 1.0)]);
        stage.tell(start + 9.0, 0, "completed", TOP, &[]);
    }
    assert!(stage.rows().iter().all(|row| !row.again && row.outcome == AuctionOutcome::Completed));
    assert_eq!(stage.market.summary().map(|summary| (summary.issued, summary.completed)), Some((2, 2)));
}

#[test]
fn a_table_that_was_written_can_be_read() {
    let (simulation, log) =
        finished("waste-cleanup", 1, &["team.coordinator=muroco", "disturbances=[{at: 100 s, stop: green}]"]);
    let mut market = Market::default();
    market.tick(&log, &simulation.model);
    market.finish(&simulation);
    let file = std::env::temp_dir().join(format!("crewlab-auctions-{}.csv", std::process::id()));
    let written = std::fs::File::create(&file).expect("a file");
    auctions::write(market.auctions(), written).expect("a table");
    let read = auctions::read(&file);
    std::fs::remove_file(&file).expect("the table");
    let all: Vec<Auction> = market.auctions().cloned().collect();
    assert!(all.len() > 4 && all.iter().any(|auction| auction.again));
    assert_eq!(read, Ok(Some(all)));
    assert_eq!(auctions::read(&file), Ok(None));
}

fn summary(name: &str, seed: u64, sets: &[&str]) -> Summary {
    let options = RunOptions {
        out: None,
        force: false,
        threads: 1,
        timing: false,
        scan_logs: false,
        stop: Arc::new(AtomicBool::new(false)),
    };
    run(&scenario(name, seed, sets), &options, &mut |_| {}).expect("a run")
}

#[test]
fn every_coordinators_losses_are_measured() {
    for coordinator in ["alliance", "greedy", "muroco"] {
        let coordinator = format!("team.coordinator={coordinator}");
        let stop = "disturbances=[{at: 100 s, stop: gold}]";
        let summary = summary("waste-cleanup", 1, &[&coordinator, stop]);
        let found = summary.reallocation.unwrap_or_else(|| panic!("{coordinator}: no loss"));
        assert_eq!(found.losses.len(), 1, "{coordinator}");
        let loss = &found.losses[0];
        assert_eq!((loss.robot.as_str(), loss.why, loss.at_s), ("gold", "stopped", 100.0), "{coordinator}");
        assert_eq!(loss.task.is_some() as u64, found.tasks, "{coordinator}");
        if loss.outcome == Succession::Reallocated {
            assert_ne!(loss.by.as_deref(), Some("gold"), "{coordinator}");
            assert_eq!((loss.after_s, loss.after_s), (found.mean_s, found.max_s), "{coordinator}");
        }
        // Both spills are cleared in the end, so no task is left.
        assert!(summary.completed && found.never == 0, "{coordinator}");
        assert_eq!(summary.auctions.is_some(), coordinator.ends_with("muroco"));
    }
}

#[test]
fn a_robot_that_is_walled_in_is_lost_and_another_takes_over() {
    // Figure 4.11: blue is walled in after 40 s while it searches; gold takes over.
    let found = summary("waste-cleanup-trapped", 1, &[]).reallocation.expect("a loss");
    let loss = &found.losses[0];
    assert_eq!(
        (loss.robot.as_str(), loss.why, loss.task.as_deref()),
        ("blue", "trapped", Some("find-locations"))
    );
    assert_eq!((loss.by.as_deref(), loss.outcome), (Some("gold"), Succession::Reallocated));
    assert!(loss.after_s.is_some_and(|after| after > 1.0), "{loss:?}");
}

#[test]
fn nobody_takes_over_from_the_only_robot() {
    let alone = "team.robots=[{name: solo, type: cleaner, side-range: true}]";
    let sets = [alone, "run.until=3 min", "disturbances=[{at: 60 s, stop: solo}]", "team.coordinator=greedy"];
    let found = summary("waste-cleanup", 1, &sets).reallocation.expect("a loss");
    assert_eq!((found.tasks, found.reallocated, found.never, found.mean_s), (1, 0, 1, None));
    assert_eq!(found.losses[0].outcome, Succession::Never);
    // It continues if the stop is undone.
    let sets = [
        alone,
        "run.until=3 min",
        "disturbances=[{at: 60 s, for: 5 s, stop: solo}]",
        "team.coordinator=greedy",
    ];
    let found = summary("waste-cleanup", 1, &sets).reallocation.expect("a loss");
    assert_eq!((found.never, found.losses[0].outcome), (0, Succession::Resumed));
    assert_eq!(summary("waste-cleanup", 1, &["run.until=1 min"]).reallocation, None);
}

#[test]
fn teams_of_equal_robots_are_not_heterogeneous() {
    assert_eq!(summary("bounding-overwatch", 1, &["run.until=1 s"]).heterogeneity, 0.0);
    // One sensor more for one of three robots: two pairs of three differ by 1 of 19 devices.
    let mixed = summary("waste-cleanup", 1, &["run.until=1 s"]).heterogeneity;
    assert!((mixed - 2.0 / 3.0 / 19.0).abs() < 1e-6, "{mixed}");
}
