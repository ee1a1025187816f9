//! The joint search against HiGHS, an independent integer programming solver.

use crate::stage::{Chance, instance, near};
use crewlab_allocation::{Instance, Reward, SearchLimits, joint, workload};
use std::path::{Path, PathBuf};
use std::process::Command;

/// HiGHS and the script that feeds it our files.
fn reference() -> (PathBuf, PathBuf) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join(".venv/bin/python");
    assert!(
        python.exists(),
        "{} is missing: run `make test` (or `make highs` once), which installs HiGHS there",
        python.display()
    );
    (python, root.join("scripts/bench_highs.py"))
}

/// 200 instances: teams in space with scarce and with plentiful robots, and random ones with ties, negative rewards, incapable
/// robots and mixed reward functions.
fn instances() -> Vec<Instance> {
    let mut chance = Chance(31);
    let kinds = [vec![Reward::Sum], vec![Reward::Mean], vec![Reward::Sum, Reward::Mean, Reward::Min]];
    let mut instances = Vec::new();
    for round in 0..200_usize {
        instances.push(match round % 4 {
            0 => workload::spatial(10 + chance.below(20), 4 + chance.below(8), (1, 4), round as u64),
            kind => {
                let (tasks, robots) = (2 + chance.below(7), 4 + chance.below(12));
                instance(&mut chance, tasks, robots, &kinds[kind - 1])
            }
        });
    }
    instances
}

#[test]
fn joint_is_as_good_as_highs() {
    let (python, script) = reference();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("highs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let instances = instances();
    let files: Vec<PathBuf> =
        (0..instances.len()).map(|number| folder.join(format!("instance-{number}.json"))).collect();
    for (file, instance) in files.iter().zip(&instances) {
        std::fs::write(file, serde_json::to_string(instance).expect("plain data")).expect("a file");
    }
    let output = Command::new(python).arg(script).args(["--exact", "--json"]).args(&files).output();
    let output = output.expect("python starts");
    let _ = std::fs::remove_dir_all(&folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<serde_json::Value> =
        answers.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), instances.len());
    for (number, (instance, answer)) in instances.iter().zip(&answers).enumerate() {
        let found = joint(instance, &SearchLimits::default()).expect("sound");
        assert_eq!(found.check(instance), Ok(()));
        assert_eq!(
            (answer["solved"].as_bool(), found.gap),
            (Some(true), 0.0),
            "{number}: {answer} {found:?}"
        );
        let theirs = answer["value"].as_f64().expect("a value");
        // HiGHS satisfies its constraints to within 1e-6.
        assert!((theirs - found.value).abs() <= 1e-5 * theirs.abs().max(1.0), "{number}: {theirs} {found:?}");
        assert!(near(found.bound, found.value));
    }
}
