//! Maps as worlds from the user's perspective: files, what is said about damaged ones, archives, and worlds written as maps.

use crate::harness::{Place, assert_says};

const ROOM: &str =
    "type octile\nheight 6\nwidth 8\nmap\n@@@@@@@@\n@......@\n@......@\n@..S...@\n@......@\n@@@@@@@@\n";
const HEAD: &str = "mission: traffic\nteam: {robots: [{name: a, type: thymio}]}\nrun: {until: 5 s}\n";

fn place(world: &str) -> Place {
    let place = Place::new();
    place.write("maps/room.map", ROOM);
    place.write("scenario.yaml", format!("{HEAD}{world}"));
    place
}

/// What `check` says about a world that is refused.
fn refused(world: &str, files: &[(&str, &[u8])]) -> String {
    let place = place(world);
    files.iter().for_each(|(name, bytes)| place.write(name, bytes));
    place.refused(&["check", "scenario.yaml"])
}

#[test]
fn a_map_is_found_beside_the_file_that_names_it() {
    let place = place("include: [worlds/room.yaml]\n");
    place.write("worlds/room.yaml", "world: {map: {file: ../maps/room.map, resolution: 0.5 m}}\n");
    let resolved = place.fine(&["check", "scenario.yaml", "--resolved"]);
    assert_says(&resolved, &["rows: [8@, \"@6.@\"", "\"@2.S3.@\"", "resolution: 0.5", "size: [4.0, 3.0]"]);
    let resolved = place.fine(&["check", "traffic", "--set", "world.map=maps/room.map", "--resolved"]);
    assert_says(&resolved, &["size: [8.0, 6.0]"]);
}

#[test]
fn an_archived_run_needs_no_map_file() {
    let place = place("world: {map: maps/room.map}\n");
    let hash = |scenario: &str, out: &str| {
        place.fine(&["run", scenario, "--out", out, "--quiet"]);
        place.json(&format!("{out}/summary.json"))["result_hash"].clone()
    };
    let first = hash("scenario.yaml", "first");
    std::fs::remove_file(place.path("maps/room.map")).expect("the file is there");
    assert_eq!(hash("first/scenario.yaml", "second"), first);
    let said = place.refused(&["check", "scenario.yaml"]);
    assert_says(&said, &["the map `maps/room.map`: cannot read", "scenario.yaml:4:14"]);
}

#[test]
fn damaged_maps_are_refused_with_the_place_that_names_them() {
    let ros = |change: (&str, &str)| {
        let yaml = "image: a.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n";
        yaml.replace(change.0, change.1).into_bytes()
    };
    let said = |name: &str, bytes: &[u8]| {
        let said = refused(&format!("world: {{map: {name}}}\n"), &[(name, bytes)]);
        assert!(said.contains("scenario.yaml:4:14"), "{said}");
        said
    };
    assert_says(&said("a.map", b"type octile\nheight 2\nwidth 3\nmap\n...\n"), &["ends after 1 of 2 rows"]);
    assert_says(&said("a.map", b"type octile\nheight 99999\nwidth 99999\nmap\n"), &["at most 16000000"]);
    assert_says(&said("a.yaml", &ros(("0.65", "0.1"))), &["free_thresh <= occupied_thresh"]);
    assert_says(&said("a.yaml", &ros(("", ""))), &["cannot read a.pgm"]);
    assert_says(&said("a.pgm", b"P5 4000 4000 255 abc"), &["add `resolution`"]);
    assert_says(&said("a.gif", b"GIF89a"), &["ends with .map, .yaml, .png or .pgm"]);
    assert_says(&said("ofice.map", b"\xff\xfe"), &["byte 0 is not UTF-8"]);
    let lie =
        refused("world: {map: {file: a.pgm, resolution: 1 m}}\n", &[("a.pgm", b"P5 4000 4000 255 abc")]);
    assert_says(&lie, &["16000000 bytes of pixels are needed, 3 are there", "scenario.yaml:4:21"]);
    // A speckled map would become an object per speckle.
    let speckles = "@.".repeat(500) + "\n" + &".@".repeat(500) + "\n";
    let speckled = format!("type octile\nheight 600\nwidth 1000\nmap\n{}", speckles.repeat(300));
    assert_says(&said("a.map", speckled.as_bytes()), &["more than 100000 separate pieces of wall"]);
}

#[test]
fn contradictions_in_a_world_are_refused() {
    let said = |world: &str| refused(world, &[]);
    assert_says(
        &said("world: {map: maps/room.map, size: [4 m, 4 m]}\n"),
        &["the map reaches from [0 m, 0 m] to [8 m, 6 m], and the world from [0 m, 0 m] to [4 m, 4 m]"],
    );
    assert_says(&said("world: {map: {file: maps/room.map, rows: ['...']}}\n"), &["not both"]);
    assert_says(&said("world: {map: {resolution: 1 m}}\n"), &["needs a `file`, or its `rows`"]);
    assert_says(&said("world: {map: {rows: ['3.', '2.']}}\n"), &["row 2: it has 2 cells"]);
    assert_says(
        &said("world: {map: maps/room.map, terrain: {cell: 1 m, rows: [[0.5]]}}\n"),
        &["swamp", "scenario.yaml:4"],
    );
}

#[test]
fn a_robot_in_a_wall_is_reported() {
    let place = place("world: {map: maps/room.map}\n");
    let at = "team.robots=[{name: a, type: thymio, at: [0.5 m, 3 m]}]";
    let said = place.refused(&["check", "scenario.yaml", "--set", at]);
    assert_says(&said, &["robot `a` at [0.50 m, 3.00 m] is inside `wall of the map`", "--set:1:"]);
}

#[test]
fn a_world_becomes_a_map_and_a_world_again() {
    let place = place("world: {map: maps/room.map}\n");
    let said = place.fine(&["map", "--world", "scenario.yaml", "--out", "written"]);
    assert_says(&said, &["8 x 6 of 1 m", "map.yaml"]);
    assert_says(&place.read("written/map.yaml"), &["image: map.pgm", "resolution: 1"]);
    let resolved = place.fine(&["check", "traffic", "--set", "world.map=written/map.yaml", "--resolved"]);
    assert_says(&resolved, &["rows: [8@, \"@6.@\"", "resolution: 1.0", "size: [8.0, 6.0]"]);
    let again = place.refused(&["map", "--world", "scenario.yaml", "--out", "written"]);
    assert_says(&again, &["exists already"]);
    assert_eq!(place.crewlab(&["map", "--world", "scenario.yaml"]).code, 2, "--out is needed");
    assert_eq!(place.crewlab(&["map"]).code, 2, "something is needed");
}
