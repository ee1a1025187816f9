//! A plan as a scenario writes it: the behaviour graph, the organisation, and which protocol serves which point.

use super::names::Names;
use super::nodes::Nodes;
use crate::bite::graph::Ends;
use crate::bite::protocols::{PROTOCOLS, PointKind};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A behaviour.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct NodeSpec {
    /// What a robot does: a task of the mission, in whichever way is best for the robot, or one of its behaviour sets. Default: nothing
    /// of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#do: Option<String>,
    /// Its parts: the first behaviours of chains that robots share among themselves. It ends when all chains have ended.
    #[serde(skip_serializing_if = "is_empty")]
    pub children: Names,
    /// The behaviours that may follow; the team chooses one of them.
    #[serde(skip_serializing_if = "is_empty")]
    pub next: Names,
    /// A condition that must hold for it to be chosen, such as `lost == 0 && count < 4`, over the mission's signals, `elapsed` [s] and
    /// `count`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// A condition that ends it on a robot, besides the end of its work, such as `elapsed > 20`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The effectors that it needs; it stands by while the robot does not have them all.
    #[serde(skip_serializing_if = "is_empty")]
    pub needs: Names,
    /// How it ends for the team.
    pub ends: Ends,
    /// True if its children are allocated again and again, until nobody finds work.
    #[serde(skip_serializing_if = "is_false")]
    pub again: bool,
    /// The sub-team that executes it. Default: whoever executes its parent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A behaviour graph.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct GraphSpec {
    /// The behaviour that the team starts with. Default: the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The behaviours by name.
    pub nodes: Nodes,
}

/// A sub-team.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct SubTeamSpec {
    /// Its robots.
    pub members: Names,
    /// The sub-teams that it is a part of. Default: the whole team only.
    #[serde(skip_serializing_if = "is_empty")]
    pub within: Names,
}

/// The protocols that serve a team's points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProtocolsSpec {
    /// How the team chooses among several behaviours that may follow.
    #[schemars(schema_with = "deciding")]
    pub decide: String,
    /// How robots share the children of a behaviour.
    #[schemars(schema_with = "allocating")]
    pub allocate: String,
    /// How behaviours end together. Default: as their `ends` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "terminating")]
    pub terminate: Option<String>,
    /// How often loops are repeated by protocols that count (`by-count`, `sf4`, `sf7`).
    #[schemars(range(min = 1))]
    pub repeats: u16,
    /// What protocols that do not communicate go by.
    pub local_data: LocalData,
}

impl Default for ProtocolsSpec {
    fn default() -> Self {
        ProtocolsSpec {
            decide: "voting".into(),
            allocate: "bidding".into(),
            terminate: None,
            repeats: 1,
            local_data: LocalData::Agreed,
        }
    }
}

/// What protocols that do not communicate go by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LocalData {
    /// What the team has agreed on: robots never differ.
    #[default]
    Agreed,
    /// What each robot knows itself, as in the thesis: robots may differ, which is counted.
    Own,
}

/// The protocols at one behaviour, where they differ from the team's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PointSpec {
    /// How the team chooses among the behaviours that may follow it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "deciding")]
    pub decide: Option<String>,
    /// How robots share its children.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "allocating")]
    pub allocate: Option<String>,
    /// How it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "terminating")]
    pub terminate: Option<String>,
}

impl PointSpec {
    /// The protocol that is named for a kind of point.
    pub fn of(&self, kind: PointKind) -> Option<&str> {
        match kind {
            PointKind::Decide => self.decide.as_deref(),
            PointKind::Allocate => self.allocate.as_deref(),
            PointKind::Terminate => self.terminate.as_deref(),
        }
    }
}

/// A plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlanSpec {
    /// The behaviour graph, or the name of a file next to this one with such a map (`formation.yaml`) or with a behaviour tree of
    /// BehaviorTree.CPP (`tree.xml`). Default: a graph that is made from the mission's tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "graph_or_file")]
    pub graph: Option<GraphSpec>,
    /// Sub-teams by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub organisation: BTreeMap<String, SubTeamSpec>,
    /// The protocols of all points.
    pub protocols: ProtocolsSpec,
    /// The protocols at single behaviours, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub points: BTreeMap<String, PointSpec>,
}

fn is_empty(names: &Names) -> bool {
    names.0.is_empty()
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// A file takes the place of its name before a scenario is read, so only its content is ever parsed.
fn graph_or_file(generator: &mut SchemaGenerator) -> Schema {
    let graph = generator.subschema_for::<GraphSpec>();
    json_schema!({"anyOf": [graph, {"type": "string"}]})
}

/// Editors offer what fits. Other names are accepted by the schema, because the check of the plan can say more about them.
fn serving(kind: PointKind) -> Schema {
    let fitting = PROTOCOLS.iter().filter(|protocol| protocol.fits.contains(&kind));
    let names: Vec<&str> = fitting.map(|protocol| protocol.name).collect();
    json_schema!({"anyOf": [{"type": "string", "enum": names}, {"type": "string"}]})
}

fn deciding(_: &mut SchemaGenerator) -> Schema {
    serving(PointKind::Decide)
}

fn allocating(_: &mut SchemaGenerator) -> Schema {
    serving(PointKind::Allocate)
}

fn terminating(_: &mut SchemaGenerator) -> Schema {
    serving(PointKind::Terminate)
}
