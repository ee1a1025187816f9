//! The figures of an analysis: the graph, and figures 4.6, 4.9 and 4.10 of ESTIMATION.

use super::text::pairs;
use super::{Analysis, Environment};
use crewlab_figures::bars::{self, BarsFigure};
use crewlab_figures::curves::{self, CurvesFigure};
use crewlab_figures::graph::{self, GraphEdge, GraphFigure};
use crewlab_figures::states::{self, StatesFigure};
use crewlab_learn::Error;

/// Pairs that are drawn.
const PAIRS: usize = 24;

/// A figure: the name of its file, its caption, and the picture.
pub(super) struct Drawn {
    pub file: &'static str,
    pub caption: String,
    pub svg: String,
}

/// Draws all figures.
pub(super) fn draw(analysis: &Analysis) -> Result<Vec<Drawn>, Error> {
    let mut figures = vec![graph(analysis), ties(analysis), samples(analysis)];
    figures.extend(marginals(analysis)?);
    figures.extend(acceptance(analysis));
    Ok(figures)
}

fn graph(analysis: &Analysis) -> Drawn {
    let probabilities = &analysis.found.edges.probabilities;
    let edge = |(from, to): (usize, usize)| GraphEdge { from, to, probability: probabilities[from][to] };
    let figure = GraphFigure {
        title: "What depends on what".into(),
        subtitle: "The best structure, with the probability of each edge over all structures.".into(),
        nodes: analysis.names.clone(),
        edges: analysis.found.structure.edges().map(edge).collect(),
    };
    let caption =
        "An edge with a low probability may as well point the other way: look at the pair, not at the arrow.";
    Drawn { file: "graph", caption: caption.into(), svg: graph::draw(&figure) }
}

fn ties(analysis: &Analysis) -> Drawn {
    let group = |(one, two): (usize, usize)| {
        let values = analysis.environments.iter().map(|environment| environment.eta[one][two]).collect();
        (format!("{} - {}", analysis.names[one], analysis.names[two]), values)
    };
    let figure = BarsFigure {
        title: "How strongly pairs are tied".into(),
        subtitle: "η = I/H from the network's pair marginals: 0 is independent, 1 means that each determines the other.".into(),
        what: "η".into(),
        cases: analysis.environments.iter().map(|environment| environment.name.clone()).collect(),
        groups: pairs(analysis).into_iter().take(PAIRS).map(group).collect(),
    };
    Drawn { file: "ties", caption: "The strongest ties, per environment.".into(), svg: bars::draw(&figure) }
}

fn samples(analysis: &Analysis) -> Drawn {
    let table = &analysis.table;
    let row = |(place, variable): (usize, &crewlab_learn::Variable)| {
        let states = (0..table.rows()).map(|row| table.state(row, place)).collect();
        (variable.name.clone(), variable.states.len(), states)
    };
    let names: Vec<&str> =
        analysis.environments.iter().skip(1).map(|environment| environment.name.as_str()).collect();
    let changed =
        |row: &usize| *row == 0 || analysis.environment_of[*row] != analysis.environment_of[row - 1];
    let begins = (0..table.rows())
        .filter(changed)
        .filter_map(|row| Some((row, (*names.get(analysis.environment_of[row])?).to_string())));
    let figure = StatesFigure {
        title: "Discretised values over samples".into(),
        subtitle: "Red lines mark where the environment changes.".into(),
        rows: table.variables().iter().enumerate().map(row).collect(),
        changes: begins.collect(),
    };
    Drawn { file: "samples", caption: "What the network is learned from.".into(), svg: states::draw(&figure) }
}

/// Marginals of the other indicators if the most important one is in each of its states.
fn marginals(analysis: &Analysis) -> Result<Option<Drawn>, Error> {
    let Environment { network, .. } = &analysis.environments[0];
    let Some(given) = analysis.ranking.first().and_then(|(name, _)| network.variable_named(name)) else {
        return Ok(None);
    };
    let evidence = &network.variables()[given];
    let mut groups = Vec::new();
    for (place, variable) in network.variables().iter().enumerate().filter(|(place, _)| *place != given) {
        let mut answers = vec![network.posterior(place, &[])?.probabilities];
        for state in 0..evidence.states.len() {
            answers.push(network.posterior(place, &[(given, state)])?.probabilities);
        }
        for (state, name) in variable.states.iter().enumerate() {
            let values = answers.iter().map(|answer| answer[state]).collect();
            groups.push((format!("P({} = {name})", variable.name), values));
        }
    }
    let mut cases = vec!["no evidence".to_string()];
    cases.extend(evidence.states.iter().map(|state| format!("{} = {state}", evidence.name)));
    let figure = BarsFigure {
        title: format!("What {} tells about the others", evidence.name),
        subtitle: "Marginals without evidence, and with the most important indicator in each of its states."
            .into(),
        what: "probability".into(),
        cases,
        groups,
    };
    let caption = "Groups with equal bars do not depend on it.".to_string();
    Ok(Some(Drawn { file: "marginals", caption, svg: bars::draw(&figure) }))
}

/// Acceptance of the Markov chain; nothing if the structure was given.
fn acceptance(analysis: &Analysis) -> Option<Drawn> {
    let found = &analysis.found;
    let curves = vec![
        ("accepted / proposed".to_string(), found.accepted_per_proposed.clone()),
        ("accepted / rejected".to_string(), found.accepted_per_rejected.clone()),
    ];
    let figure = CurvesFigure {
        title: "Acceptance of the Markov chain".into(),
        subtitle:
            "A stable ratio does not show that the chain has converged: compare its score with the optimum."
                .into(),
        along: "steps".into(),
        what: "ratio".into(),
        curves,
    };
    let caption = "Accepted changes of the structure.".to_string();
    found.chain_score.map(|_| Drawn { file: "acceptance", caption, svg: curves::draw(&figure) })
}
