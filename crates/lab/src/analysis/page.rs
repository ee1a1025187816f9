//! An analysis as a folder: a page, its figures, the model and the numbers.

use super::text::{pairs, proof};
use super::{Analysis, figures};
use crewlab_figures::page::{Badge, Figure, Page, PageTable, Section, render};
use crewlab_learn::acyclic_graphs;
use std::fs;
use std::path::Path;

/// Writes report.html, analysis.json, model.json and the figures.
pub fn write(analysis: &Analysis, folder: &Path) -> Result<(), String> {
    let drawn = figures::draw(analysis).map_err(|error| error.to_string())?;
    let json = serde_json::to_string_pretty(analysis).map_err(|error| error.to_string())?;
    let mut files = vec![
        ("analysis.json".to_string(), json + "\n"),
        ("model.json".to_string(), analysis.model.to_json()),
        ("report.html".to_string(), render(&page(analysis, &drawn))),
    ];
    files.extend(drawn.into_iter().map(|figure| (format!("plots/{}.svg", figure.file), figure.svg)));
    fs::create_dir_all(folder.join("plots")).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

fn page(analysis: &Analysis, drawn: &[figures::Drawn]) -> Page {
    let figure = |name: &str| -> Vec<Figure> {
        let chosen = drawn.iter().filter(|figure| figure.file == name);
        chosen.map(|figure| Figure { caption: figure.caption.clone(), svg: figure.svg.clone() }).collect()
    };
    let section = |heading: &str, text: String, figures: Vec<Figure>| Section {
        heading: heading.into(),
        text,
        figures,
        ..Section::default()
    };
    let graphs = acyclic_graphs(analysis.names.len())
        .map_or("more than 10³⁶".to_string(), |count| count.to_string());
    let structure = format!(
        "There are {graphs} structures over these indicators (4.6).\n\n{}",
        proof(&analysis.found).replace('\n', "\n\n")
    );
    let weak = match analysis.weak.is_empty() {
        true => String::new(),
        false => format!("Nothing but weak ties: {}.", analysis.weak.join(", ")),
    };
    let names: Vec<String> =
        analysis.environments.iter().map(|environment| environment.name.clone()).collect();
    let number = |value: f64| format!("{value:.4}");
    let tie = |(one, two): (usize, usize)| {
        let mut row = vec![analysis.names[one].clone(), analysis.names[two].clone()];
        for environment in &analysis.environments {
            row.push(number(environment.eta[one][two]));
            row.push(number(environment.raw_eta[one][two]));
        }
        row
    };
    let mut columns = vec!["indicator".to_string(), "indicator".to_string()];
    names.iter().for_each(|name| columns.extend([format!("η {name}"), format!("η from counts {name}")]));
    let ranking = analysis.ranking.iter().map(|(name, sum)| vec![name.clone(), number(*sum)]).collect();
    Page {
        title: format!("What depends on what in {}", analysis.model.validity.source),
        lead: format!(
            "{} indicators in {} rows of {} runs.",
            analysis.names.len(),
            analysis.table.rows(),
            analysis.runs
        ),
        verdict: if analysis.found.certificate.is_some() { Badge::Completed } else { Badge::Stopped },
        facts: vec![
            ("Rows".into(), analysis.table.rows().to_string()),
            ("Incomplete rows".into(), analysis.found.left_out.to_string()),
            ("Score (BIC)".into(), format!("{:.2}", analysis.found.score)),
        ],
        sections: vec![
            section("Structure", structure, figure("graph")),
            section("Ties", weak, figure("ties")),
            section("Evidence", String::new(), figure("marginals")),
            section("Samples", String::new(), figure("samples")),
            section("Markov chain", String::new(), figure("acceptance")),
        ],
        tables: vec![
            PageTable {
                heading: "Ranking".into(),
                note: "The sum of an indicator's ties to all others.".into(),
                columns: vec!["indicator".into(), "sum of η".into()],
                rows: ranking,
                ..PageTable::default()
            },
            PageTable {
                heading: "All pairs".into(),
                columns,
                rows: pairs(analysis).into_iter().map(tie).collect(),
                filter: true,
                ..PageTable::default()
            },
        ],
        footer:
            "The model is valid only where it was learned. crewlab ask model.json answers further questions."
                .into(),
    }
}
