//! Documents name only what exists, and their scenarios can be run.

use crewlab_scenario::{PRESETS as PRESETS_OF_TROUBLE, Request, load, schema};
use crewlab_sim::radio::PRESETS;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<PathBuf> {
    let docs = std::fs::read_dir(root().join("docs")).expect("docs exist");
    let docs = docs
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "md"));
    let mut pages: Vec<PathBuf> = docs.collect();
    pages.extend(
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "experiments/README.md"]
            .map(|name| root().join(name)),
    );
    pages.sort();
    pages
}

/// Paths in backticks that begin with a folder of the repository, and the targets of links and pictures.
fn named_paths(text: &str) -> Vec<String> {
    let ticked = text.split('`').skip(1).step_by(2).filter(|word| {
        ["crates/", "docs/", "scripts/", "web/"].iter().any(|folder| word.starts_with(folder))
            && !word.contains([' ', '<', '*'])
    });
    let linked = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    ticked.chain(linked.filter(|link| !link.contains("://"))).map(str::to_string).collect()
}

/// Whether a page has a heading with this anchor.
fn has_heading(page: &Path, anchor: &str) -> bool {
    let text = std::fs::read_to_string(page).unwrap_or_default();
    let anchor_of = |heading: &str| {
        let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
        heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
    };
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor_of(line.trim_start_matches('#').trim())).any(|heading| heading == anchor)
}

#[test]
fn documents_name_only_what_exists() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a readable page");
        let folder = page.parent().expect("a folder");
        for path in named_paths(&text) {
            let (file, heading) = path.split_once('#').unwrap_or((&path, ""));
            let places = if file.is_empty() {
                [page.clone(), page.clone()]
            } else {
                [folder.join(file), root().join(file)]
            };
            let target = places.into_iter().find(|path| path.exists());
            let exists = target.is_some_and(|target| heading.is_empty() || has_heading(&target, heading));
            // The skeletons in the pages on writing things name files that the reader will make.
            let to_be_made = path.contains("first_come");
            assert!(exists || to_be_made, "{} names {path}, which does not exist", page.display());
        }
    }
}

/// Every YAML block that is a complete scenario passes the check; fragments are merged into a complete one.
#[test]
fn scenarios_in_documents_can_be_run() {
    let mut checked = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a readable page");
        for block in text.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            // Experiments have their own test.
            if block.contains("scenario: ") || block.starts_with("factors:") {
                continue;
            }
            let whole = if block.contains("mission:") {
                block.to_string()
            } else {
                format!("crewlab: 1\nmission: waste-cleanup\n{block}")
            };
            let file =
                std::env::temp_dir().join(format!("crewlab-doc-{}-{checked}.yaml", std::process::id()));
            std::fs::write(&file, whole).expect("a writable temporary folder");
            let request = Request { scenario: file.display().to_string(), ..Request::default() };
            let outcome = load(&request);
            let _ = std::fs::remove_file(&file);
            if let Err(problems) = outcome {
                panic!("{}: {problems}", page.display());
            }
            checked += 1;
        }
    }
    assert!(checked >= 3, "only {checked} scenarios were found");
}

/// A value as one would write it into a scenario.
fn written(value: &Value, property: &Value) -> String {
    let unit = property["x-unit"].as_str().filter(|unit| *unit != "1");
    let plain = |number: f64| {
        // Six digits are enough for all values here, and hide the rounding errors of scaling.
        let text = format!("{number:.6}");
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    };
    match (value, unit) {
        (Value::Null, _) => "null".into(),
        (Value::String(text), _) => text.clone(),
        (Value::Object(map), _) => {
            let part = |(key, value): (&String, &Value)| {
                format!("{key}: {}", written(value, &property["properties"][key]))
            };
            format!("{{{}}}", map.iter().map(part).collect::<Vec<_>>().join(", "))
        }
        (Value::Number(number), unit) => {
            let number = number.as_f64().expect("a number");
            let scales: &[(f64, &str)] = match unit {
                Some("Hz") => &[(1e9, "GHz"), (1e6, "MHz"), (1e3, "kHz"), (1.0, "Hz")],
                Some("s") => &[(1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")],
                Some("m") => &[(1e3, "km"), (1.0, "m"), (1e-2, "cm")],
                _ => &[],
            };
            let fits = |(scale, _): &&(f64, &str)| number.abs() >= *scale * (1.0 - 1e-9);
            match (scales.iter().find(fits), unit) {
                (Some((scale, unit)), _) => format!("{} {unit}", plain(number / scale)),
                (None, Some(unit)) => format!("{} {unit}", plain(number)),
                (None, None) => plain(number),
            }
        }
        (other, _) => other.to_string(),
    }
}

/// All keys of a physical radio with their meaning, their limits and what the names stand for.
fn table_of_radio_keys() -> String {
    let schema = schema::of_everything();
    let resolve = |property: &Value| -> Value {
        let branch = |p: &Value| p["anyOf"].as_array().and_then(|list| list.first().cloned());
        let referring =
            branch(property).filter(|_| property.get("$ref").is_none()).unwrap_or(property.clone());
        let name = referring["$ref"].as_str().and_then(|r| r.rsplit('/').next());
        name.map_or(property.clone(), |name| schema["$defs"][name].clone())
    };
    let physical = &schema["properties"]["radio"]["anyOf"][2]["properties"];
    let presets: Vec<Value> =
        PRESETS.iter().map(|preset| serde_json::to_value((preset.params)()).expect("JSON")).collect();
    let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    let mut table = format!("| key | what it sets | accepted | {} |\n", names.join(" | "));
    table += &format!("| --- | --- | --- |{}\n", " --- |".repeat(names.len()));
    for (key, property) in physical.as_object().expect("properties").iter().filter(|(key, _)| *key != "model")
    {
        let definition = resolve(property);
        let words: Vec<&str> = definition["oneOf"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|word| word["const"].as_str())
            .collect();
        let limit = |limit: &str| property.get(limit).map(|value| written(value, property));
        let accepted = match (limit("minimum"), limit("maximum")) {
            (Some(least), Some(most)) => format!("{least} to {most}"),
            _ if property["type"] == "boolean" => "true, false".into(),
            _ if !words.is_empty() => words.join(", "),
            _ => "a map".into(),
        };
        let off = property["type"].to_string().contains("\"null\"")
            || property["anyOf"]
                .as_array()
                .is_some_and(|forms| forms.iter().any(|form| form["type"] == "null"));
        let accepted = if off { format!("{accepted}, null") } else { accepted };
        let parts = if definition["properties"].is_object() { &definition } else { property };
        let value = |preset: &Value| written(preset.get(key).unwrap_or(&Value::Null), parts);
        let values: Vec<String> = presets.iter().map(value).collect();
        let description =
            property["description"].as_str().expect("a description").trim_end_matches('.').replace('\n', " ");
        table += &format!("| `{key}` | {description} | {accepted} | {} |\n", values.join(" | "));
    }
    table
}

#[test]
fn the_page_on_scenarios_has_all_keys_of_radios() {
    let page = std::fs::read_to_string(root().join("docs/scenario.md")).expect("a readable page");
    let table = table_of_radio_keys();
    assert!(page.contains(&table), "docs/scenario.md should have this table:\n{table}");
}

#[test]
fn the_page_on_disturbances_has_all_presets() {
    let page = std::fs::read_to_string(root().join("docs/disturbances.md")).expect("a readable page");
    let mut table = "| preset | what happens | entries |\n| --- | --- | --- |\n".to_string();
    for preset in PRESETS_OF_TROUBLE {
        let entries: Vec<String> =
            preset.text.lines().map(|line| line.replacen("- ", "`", 1) + "`").collect();
        table += &format!("| `{}` | {} | {} |\n", preset.name, preset.summary, entries.join(", "));
    }
    assert!(page.contains(&table), "docs/disturbances.md should have this table:\n{table}");
}

#[test]
fn the_page_on_disturbances_has_all_kinds() {
    let page = std::fs::read_to_string(root().join("docs/disturbances.md")).expect("a readable page");
    let mut table = "| kind | group | what it does |\n| --- | --- | --- |\n".to_string();
    for kind in crewlab_sim::disturbances::KINDS {
        table += &format!("| `{}` | {} | {} |\n", kind.name, kind.about.subject.group(), kind.about.words());
    }
    assert!(page.contains(&table), "docs/disturbances.md should have this table:\n{table}");
}

#[test]
fn the_readme_counts_the_kinds_of_disturbances() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("a readable page");
    let count = crewlab_sim::disturbances::KINDS.len();
    assert!(text.contains(&format!("{count} kinds of [disturbances]")), "there are {count}");
}
