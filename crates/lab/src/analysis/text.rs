//! An analysis in words.

use super::search::Found;
use super::{Analysis, Environment};
use crewlab_learn::{EdgeMethod, MOST_OPTIMAL};

/// A standard error of edge probabilities above this is worth a warning.
const DOUBTFUL: f64 = 0.05;

/// Pairs that are listed.
const PAIRS: usize = 15;

/// An analysis for the terminal.
pub fn words(analysis: &Analysis) -> String {
    let mut text = format!("runs                 {}\n", analysis.runs);
    for environment in &analysis.environments {
        text += &format!("rows                 {:>6}  {}\n", environment.rows, environment.name);
    }
    for (name, why) in &analysis.left_out {
        text += &format!("left out             {name}: {why}\n");
    }
    if analysis.found.left_out > 0 {
        text += &format!(
            "incomplete rows      {}, not used in the search for the structure\n",
            analysis.found.left_out
        );
    }
    text += &proof(&analysis.found);
    text += "\nedge                                      probability  reverse\n";
    for (parent, child) in analysis.found.structure.edges() {
        let edges = &analysis.found.edges.probabilities;
        let names = format!("{} -> {}", analysis.names[parent], analysis.names[child]);
        text += &format!("{names:<42} {:>10.3} {:>8.3}\n", edges[parent][child], edges[child][parent]);
    }
    if analysis.found.structure.edges().next().is_none() {
        text += "none\n";
    }
    text += "\nstrongest ties (eta)                     ";
    analysis
        .environments
        .iter()
        .for_each(|environment| text += &format!(" {:>14}", short(&environment.name)));
    text += "\n";
    for (one, two) in pairs(analysis).into_iter().take(PAIRS) {
        text += &format!("{:<41}", format!("{} - {}", analysis.names[one], analysis.names[two]));
        analysis
            .environments
            .iter()
            .for_each(|environment| text += &format!(" {:>14.4}", environment.eta[one][two]));
        text += "\n";
    }
    text += "\nranking (sum of ties)\n";
    for (name, sum) in &analysis.ranking {
        text += &format!("{name:<41} {sum:>14.4}\n");
    }
    if !analysis.weak.is_empty() {
        text += &format!("\nnothing but weak ties: {}\n", analysis.weak.join(", "));
    }
    text + &means(analysis)
}

/// How good the structure is.
pub fn proof(found: &Found) -> String {
    let mut text = format!("score (BIC)          {:.3}\n", found.score);
    match &found.certificate {
        Some(proof) => {
            let limit = proof
                .most_parents
                .map_or(String::new(), |most| format!(" among structures with at most {most} parents"));
            text += &format!(
                "proof                the optimum{limit}: {} sets counted, {} useful families, {} sets extended\n",
                proof.sets_counted, proof.families, proof.sets_extended
            );
        }
        None if found.chain_score.is_some() => {
            let most = found
                .most_parents
                .map_or(String::new(), |most| format!(" among those with at most {most} parents"));
            text += &format!(
                "proof                none: the best structure that was found{most}; up to {MOST_OPTIMAL} columns can be proven\n"
            );
        }
        None => text += "proof                none: the structure was given\n",
    }
    if let (Some(chain), Some(k2)) = (found.chain_score, found.k2_score) {
        text += &format!("Markov chain, K2     {chain:.3}, {k2:.3}\n");
    }
    text += &match found.edges.method {
        EdgeMethod::Exact => "edge probabilities   exact, over all orders and structures\n".to_string(),
        EdgeMethod::Sampled { orders, most_parents, error } => {
            let doubt =
                if error > DOUBTFUL { "; warning: this is much, more --order-steps help" } else { "" };
            format!(
                "edge probabilities   from {orders} sampled orders with at most {most_parents} parents; standard error up to {error:.3}{doubt}\n"
            )
        }
    };
    text
}

/// Pairs by their ties in all environments together, the strongest first.
pub(super) fn pairs(analysis: &Analysis) -> Vec<(usize, usize)> {
    let eta = &analysis.environments[0].eta;
    let count = analysis.names.len();
    let mut pairs: Vec<(usize, usize)> =
        (0..count).flat_map(|one| (one + 1..count).map(move |two| (one, two))).collect();
    pairs.sort_by(|a, b| eta[b.0][b.1].total_cmp(&eta[a.0][a.1]).then(a.cmp(b)));
    pairs
}

/// Means and variances per environment, if there are several.
fn means(analysis: &Analysis) -> String {
    if analysis.environments.len() < 2 {
        return String::new();
    }
    let mut text = "\nmean (variance)                          ".to_string();
    let each = &analysis.environments[1..];
    each.iter().for_each(|environment| text += &format!(" {:>24}", short(&environment.name)));
    text += "\n";
    let cell = |environment: &Environment, place: usize| {
        let number = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.4}"));
        format!("{} ({})", number(environment.means[place]), number(environment.variances[place]))
    };
    for (place, name) in analysis.names.iter().enumerate() {
        text += &format!("{name:<41}");
        each.iter().for_each(|environment| text += &format!(" {:>24}", cell(environment, place)));
        text += "\n";
    }
    text
}

fn short(name: &str) -> String {
    name.chars().take(14).collect()
}
