use super::*;
use std::fs::OpenOptions;
use std::io::Write;

fn done(seed: u64, result: &str) -> StoredRun {
    let values = vec![seed as f64; crate::metrics::METRICS.len()];
    StoredRun {
        key: Key { scenario: 1, seed },
        outcome: RunOutcome::Done { values, result: result.into(), incomplete: None },
    }
}

fn failed(seed: u64) -> StoredRun {
    let outcome = RunOutcome::Failed { failure: Failure::TimedOut, reason: "it took too long".into() };
    StoredRun { key: Key { scenario: 1, seed }, outcome }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("crewlab-store-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn the_next_process_sees_stored_runs() {
    let folder = folder("next");
    let mut store = Store::open(&folder).unwrap();
    store.put(done(1, "a")).unwrap();
    store.put(failed(2)).unwrap();
    let again = Store::open(&folder).unwrap();
    assert_eq!(again.len(), 2);
    assert_eq!(again.get(&done(1, "a").key), Some(&done(1, "a").outcome));
    assert_eq!(again.oddities, Oddities::default());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn runs_of_one_version_are_not_taken_for_those_of_another() {
    let folder = folder("version");
    let mut other = Store::made_by(&folder, "0.0.1").unwrap();
    other.put(done(1, "a")).unwrap();
    other.put(done(2, "a")).unwrap();
    let mut store = Store::open(&folder).unwrap();
    assert_eq!((store.len(), store.oddities.strangers), (0, 2));
    store.put(done(1, "b")).unwrap();
    let other = Store::made_by(&folder, "0.0.1").unwrap();
    assert_eq!((other.len(), other.oddities.strangers, other.version()), (2, 1, "0.0.1"));
    assert_eq!(other.get(&done(1, "a").key), Some(&done(1, "a").outcome));
    let (number, fingerprint) = VERSION.split_once('+').unwrap();
    assert_eq!((number, fingerprint.len()), (env!("CARGO_PKG_VERSION"), 8));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn two_writers_see_each_other_and_a_torn_line_harms_nobody() {
    let folder = folder("torn");
    let (mut one, mut two) = (Store::open(&folder).unwrap(), Store::open(&folder).unwrap());
    one.put(done(1, "a")).unwrap();
    two.put(done(2, "b")).unwrap();
    let journal = fs::read_dir(folder.join(JOURNALS)).unwrap().next().unwrap().unwrap().path();
    let line = done(3, "c").line(VERSION);
    let (first, second) = line.split_at(line.len() / 2);
    let mut file = OpenOptions::new().append(true).open(journal).unwrap();
    file.write_all(first.as_bytes()).unwrap();
    one.refresh().unwrap();
    two.refresh().unwrap();
    assert_eq!((one.len(), two.len()), (2, 2));
    let mut three = Store::open(&folder).unwrap();
    file.write_all(second.as_bytes()).unwrap();
    three.refresh().unwrap();
    assert_eq!(three.len(), 3);
    assert_eq!(three.oddities, Oddities::default());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_second_try_replaces_a_failure_and_contradictions_are_noticed() {
    let folder = folder("odd");
    let mut store = Store::open(&folder).unwrap();
    store.put(failed(1)).unwrap();
    store.put(done(1, "a")).unwrap();
    assert_eq!(store.get(&done(1, "a").key), Some(&done(1, "a").outcome));
    store.put(failed(1)).unwrap();
    assert_eq!(store.get(&done(1, "a").key), Some(&done(1, "a").outcome));
    store.put(done(1, "b")).unwrap();
    assert_eq!(store.oddities.contradictions, [done(1, "a").key]);
    fs::write(folder.join(JOURNALS).join("zz.jsonl"), "garbage\n\n").unwrap();
    let again = Store::open(&folder).unwrap();
    assert_eq!(again.oddities.damaged, 2);
    assert_eq!(again.get(&done(1, "a").key), Some(&done(1, "a").outcome));
    fs::remove_dir_all(folder).unwrap();
}
