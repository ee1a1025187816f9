//! Files that are missing, unreadable, damaged, or include each other.

use super::harness::{HEAD, Outcome, Place, assert_says, places};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

#[test]
fn a_missing_file_gets_a_suggestion_among_the_shipped_scenarios() {
    let place = Place::new();
    for wrong in ["wast-cleanup", "waste_cleanup", "./waste-cleanup"] {
        for command in ["check", "run"] {
            let said = place.refused(&[command, wrong]);
            let what = format!("there is no file and no shipped scenario `{wrong}`");
            assert_says(&said, &[&what, "did you mean `waste-cleanup`?", "shipped scenarios: waste-cleanup"]);
        }
    }
    for wrong in ["nope.yaml", "", "/no/such/folder/file.yaml"] {
        assert_says(&place.refused(&["check", wrong]), &["there is no file", "shipped scenarios: "]);
    }
}

#[test]
fn a_shipped_name_with_an_ending_gets_a_suggestion() {
    let place = Place::new();
    assert_says(&place.refused(&["check", "waste-cleanup.yaml"]), &["did you mean `waste-cleanup`?"]);
}

#[test]
fn a_folder_of_the_same_name_does_not_hide_a_shipped_scenario() {
    let place = Place::new();
    place.write("waste-cleanup/notes.txt", "");
    assert!(place.fine(&["check", "waste-cleanup"]).starts_with("waste-cleanup can run."));
}

#[test]
fn a_binary_file_is_refused() {
    let place = Place::new();
    place.write("folder/file", "");
    place.write("garbage.yaml", (0..2000_u32).map(|n| (n * n * 31 + n / 7) as u8).collect::<Vec<u8>>());
    place.write("latin.yaml", [HEAD.as_bytes(), b"name: caf\xe9\n"].concat());
    place.write("nul.yaml", format!("{HEAD}name: a\0b\n"));
    place.write("large.yaml", vec![b'#'; 17 << 20]);
    let rows = [
        ("folder", "cannot read folder: it is a directory"),
        ("garbage.yaml", "cannot read garbage.yaml: byte "),
        ("latin.yaml", "cannot read latin.yaml: byte 43 is not UTF-8 text"),
        ("nul.yaml", "the control character U+0000 is not allowed"),
        ("large.yaml", "cannot read large.yaml: it is larger than 16 MiB"),
    ];
    for (file, what) in rows {
        for command in ["check", "run"] {
            assert_says(&place.refused(&[command, file]), &[what]);
        }
    }
}

#[test]
fn an_empty_file_is_refused() {
    let place = Place::new();
    place.write("empty.yaml", "");
    let said = place.refused(&["run", "empty.yaml"]);
    assert_says(&said, &["the scenario does not name its mission", "empty.yaml", "missions: waste-cleanup"]);
}

#[test]
fn byte_order_marks_and_foreign_line_ends_are_accepted() {
    let place = Place::new();
    place.write("bom.yaml", format!("\u{feff}{HEAD}"));
    place.write("crlf.yaml", HEAD.replace('\n', "\r\n"));
    place.write("crlf-typo.yaml", format!("{HEAD}run: {{untl: 3 s}}\n").replace('\n', "\r\n"));
    place.fine(&["check", "bom.yaml"]);
    place.fine(&["check", "crlf.yaml"]);
    assert_eq!(places(&place.refused(&["check", "crlf-typo.yaml"])), ["crlf-typo.yaml:3:7"]);
}

#[test]
fn an_unreadable_file_is_refused() {
    let place = Place::with("");
    let file = place.path("scenario.yaml");
    fs::set_permissions(&file, Permissions::from_mode(0o000)).expect("permissions");
    if fs::read(&file).is_ok() {
        println!("skipped: this user may read everything");
    } else {
        let said = place.refused(&["check", "scenario.yaml"]);
        assert_says(&said, &["cannot read scenario.yaml: Permission denied"]);
    }
}

#[test]
fn an_endless_file_is_refused() {
    let outcome = Place::new().crewlab_within(1_000_000, &["check", "/dev/zero"]);
    assert_eq!(outcome.code, 1);
    assert_says(&outcome.err, &["cannot read /dev/zero: it is"]);
}

/// A file that was cut off while being written is refused or, if the cut leaves valid YAML, accepted.
#[test]
fn a_half_written_file_never_breaks_the_program() {
    let place = Place::new();
    place.fine(&["new", "whole.yaml"]);
    let whole = fs::read(place.path("whole.yaml")).expect("a file");
    let mut refused = 0;
    for length in (0..whole.len()).step_by(50) {
        place.write("cut.yaml", &whole[..length]);
        let outcome = place.crewlab(&["check", "cut.yaml"]);
        assert!(outcome.code == 0 || outcome.code == 1, "{length}: {}", outcome.code);
        if outcome.code == 1 {
            refused += 1;
            assert_says(&outcome.err, &["error: ", "--> "]);
        }
    }
    // Only the last lines of the file are optional, so that they can be missing unnoticed.
    assert!(refused * 2 > whole.len() / 50, "{refused}");
}

#[test]
fn a_damaged_file_never_breaks_the_program() {
    let place = Place::new();
    place.fine(&["new", "whole.yaml"]);
    let whole = fs::read(place.path("whole.yaml")).expect("a file");
    let mut dice: u64 = 1;
    let mut throw = |sides: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % sides
    };
    for round in 0..200 {
        let mut bytes = whole.clone();
        for _ in 0..=throw(3) {
            let at = throw(bytes.len());
            bytes[at] = b"{}[]:,-#&*!|>'\"%@`\t\n 09aZ\0\xff"[throw(26)];
        }
        place.write("damaged.yaml", &bytes);
        let outcome = place.crewlab(&["check", "damaged.yaml"]);
        assert!(outcome.code == 0 || outcome.code == 1, "{round}: {}", outcome.code);
    }
}

#[test]
fn included_files_are_found_next_to_the_file_that_names_them() {
    let place = Place::new();
    place.write("a/scenario.yaml", format!("{HEAD}include: [parts/run.yaml]\n"));
    place.write("a/parts/run.yaml", "include: [more.yaml]\nrun: {until: 20 s}\n");
    place.write("a/parts/more.yaml", "run: {seed: 5, until: 30 s}\n");
    let resolved = place.fine(&["check", "a/scenario.yaml", "--resolved"]);
    assert_says(&resolved, &["run:", "until: 20", "seed: 5"]);
}

#[test]
fn a_missing_include_is_pointed_at() {
    let place = Place::with("include: [nothere.yaml]\n");
    for command in ["check", "run"] {
        let said = place.refused(&[command, "scenario.yaml"]);
        assert_says(&said, &["cannot read nothere.yaml: No such file", "include: [nothere.yaml]"]);
        assert_eq!(places(&said), ["scenario.yaml:3:11"]);
    }
    let place = Place::with("include: [.]\n");
    assert_says(&place.refused(&["check", "scenario.yaml"]), &["it is a directory", "scenario.yaml:3:11"]);
}

#[test]
fn circular_includes_are_refused() {
    let place = Place::with("include: [scenario.yaml]\n");
    let said = place.refused(&["check", "scenario.yaml"]);
    assert_says(&said, &["include each other in a circle", "scenario.yaml:3:11"]);

    let place = Place::with("include: [b.yaml]\n");
    place.write("b.yaml", "include: [c.yaml]\n");
    place.write("c.yaml", "include: [./scenario.yaml]\n");
    let said = place.refused(&["run", "scenario.yaml"]);
    assert_says(&said, &["include each other in a circle", "c.yaml:1:11"]);
}

#[test]
fn a_mistake_in_an_included_file_is_pointed_at_there() {
    let place = Place::with("include: [types.yaml]\n");
    place.write("types.yaml", "robot-types: {cleaner: {body: {crcle: 1 m}}}\n");
    let said = place.refused(&["check", "scenario.yaml"]);
    assert_eq!(places(&said), ["types.yaml:1:32"]);
    assert_says(&said, &["unknown key `crcle`", "did you mean `circle`?"]);
}

#[test]
fn a_reader_that_has_gone_away_is_no_error() {
    let place = Place::new();
    let script = format!("'{}' schema | head -c 10", super::harness::CREWLAB);
    let mut command = Command::new("sh");
    let output = command.args(["-c", &script]).current_dir(place.path("")).output().expect("sh starts");
    let outcome = Outcome::of(output, &["schema"]);
    assert_eq!((outcome.out.len(), outcome.err.as_str()), (10, ""));
}

#[test]
fn a_full_standard_output_is_named() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
        return println!("skipped: there is no /dev/full");
    };
    let mut command = Place::new().command(&["list"]);
    let outcome = Outcome::of(command.current_dir("/").stdout(full).output().expect("it starts"), &["list"]);
    assert_eq!(outcome.code, 1);
    assert_says(&outcome.err, &["standard output", "No space left on device"]);
}
