//! Every shipped mission can be carried out as a plan: its tasks become a graph that is sound, and that can be drawn and read.

use crewlab_lab::plan::{TeamPlan, dot, draw, outline};
use crewlab_scenario::{Request, load};
use crewlab_sim::missions;
use crewlab_sim::teams::bite::plan::{Known, PlanSpec, compile, picture};

#[test]
fn every_shipped_mission_has_a_plan_that_can_be_drawn() {
    let mut seen = 0;
    for shipped in missions::KINDS.iter().flat_map(|kind| kind.shipped) {
        let request = Request { scenario: shipped.name.into(), ..Request::default() };
        let scenario = load(&request).unwrap_or_else(|problems| panic!("{}: {problems}", shipped.name));
        let (model, _) = &scenario.start;
        let robots: Vec<&str> = model.roster.iter().map(|(name, _)| name.as_str()).collect();
        let (sets, signals) = (scenario.setup.mission.sets(), scenario.setup.mission.signals());
        let known = Known {
            robots: &robots,
            sets: &sets.iter().map(|set| set.name.as_str()).collect::<Vec<_>>(),
            tasks: &model.tasks,
            signals: &signals.iter().map(|signal| signal.name).collect::<Vec<_>>(),
            equipment: None,
        };
        let (spec, mut findings) = (PlanSpec::default(), Vec::new());
        let plan =
            compile(&spec, &known, &mut findings).unwrap_or_else(|| panic!("{}: {findings:?}", shipped.name));
        assert!(findings.is_empty(), "{}: {findings:?}", shipped.name);
        let whole = model.tasks.iter().filter(|task| !task.part).count();
        assert_eq!(plan.graph.nodes.len(), whole + 1, "{}", shipped.name);

        let plan = TeamPlan { coordinator: "a plan", picture: picture(&spec, &model.tasks) };
        let figure = plan.figure(&scenario.name, model);
        let (svg, text) = (draw(&figure), outline(&figure));
        for node in &figure.nodes {
            assert!(text.lines().any(|line| line.trim_start().starts_with(&node.name)), "{}", shipped.name);
        }
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"), "{}", shipped.name);
        assert_eq!(dot(&figure).matches("style=dashed").count(), whole, "{}", shipped.name);
        seen += 1;
    }
    assert!(seen > 5, "{seen}");
}
