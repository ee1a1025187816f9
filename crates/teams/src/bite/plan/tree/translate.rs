//! From the elements of a tree to behaviours.

use super::super::{MOST_NODES, spelt};
use super::draft::{Draft, Span, Term, joined, written};
use super::xml::{Attribute, Element};
use crate::{Misfit, Placed};
use std::collections::{HashMap, HashSet};

/// How deep trees may contain each other.
const DEEPEST_TREE: usize = 16;
/// Attributes of leaves that are no inputs of theirs.
const OWN: [&str; 2] = ["ID", "name"];

/// The graph of the main tree, and what does not fit.
pub(super) fn translate(root: &Element) -> (Option<Placed>, Vec<Misfit>) {
    if root.tag != "root" {
        let message = format!("a behaviour tree is in an element `<root>`, found `<{}>`", root.tag);
        return (None, vec![Misfit::error(root.span.clone(), message)]);
    }
    let mut translator = Translator::of(root);
    let Some(main) = translator.main(root) else { return (None, translator.misfits) };
    let first = translator.tree(main);
    let graph = first.map(|first| written(&translator.drafts, first, &main.span));
    (graph, translator.misfits)
}

struct Translator<'e> {
    trees: HashMap<&'e str, &'e Element>,
    /// Kinds of nodes that the file itself declares, such as `Condition`.
    models: HashMap<&'e str, &'e str>,
    /// The trees that are being translated.
    open: Vec<&'e str>,
    /// How many repetitions surround the element.
    loops: usize,
    names: HashSet<String>,
    drafts: Vec<Draft>,
    misfits: Vec<Misfit>,
    full: bool,
}

impl<'e> Translator<'e> {
    fn of(root: &'e Element) -> Translator<'e> {
        let mut translator = Translator {
            trees: HashMap::new(),
            models: HashMap::new(),
            open: Vec::new(),
            loops: 0,
            names: HashSet::new(),
            drafts: Vec::new(),
            misfits: Vec::new(),
            full: false,
        };
        for part in &root.children {
            match (part.tag.as_str(), part.get("ID")) {
                ("BehaviorTree", Some(id)) => {
                    if translator.trees.insert(&id.value, part).is_some() {
                        translator.misfit(&id.span, format!("there are two trees `{}`", id.value));
                    }
                }
                ("BehaviorTree", None) => {
                    translator.trees.insert("", part);
                }
                ("TreeNodesModel", _) => {
                    let models = part.children.iter();
                    translator.models.extend(
                        models
                            .filter_map(|model| Some((model.get("ID")?.value.as_str(), model.tag.as_str()))),
                    );
                }
                ("include", _) => {
                    let message = "files that a tree includes are not read: put all trees into one file";
                    translator.misfit(&part.span, message);
                }
                _ => translator.misfit(&part.span, format!("`<{}>` does not belong into `<root>`", part.tag)),
            }
        }
        translator
    }

    fn misfit(&mut self, span: &Span, message: impl Into<String>) {
        self.misfits.push(Misfit::error(span.clone(), message));
    }

    /// The tree to begin with: the named one, or the only one.
    fn main(&mut self, root: &'e Element) -> Option<&'e Element> {
        let trees: Vec<&Element> = root.children.iter().filter(|part| part.tag == "BehaviorTree").collect();
        match (root.get("main_tree_to_execute"), trees.as_slice()) {
            (Some(named), _) => {
                let found = self.trees.get(named.value.as_str()).copied();
                if found.is_none() {
                    self.misfit(
                        &named.span,
                        format!("there is no tree `{}`; there are {}", named.value, self.listed()),
                    );
                }
                found
            }
            (None, [only]) => Some(only),
            (None, []) => {
                self.misfit(&root.span, "there is no `<BehaviorTree>` in this file");
                None
            }
            (None, _) => {
                let message = format!(
                    "`main_tree_to_execute` says which tree to begin with; there are {}",
                    self.listed()
                );
                self.misfit(&root.span, message);
                None
            }
        }
    }

    fn listed(&self) -> String {
        let mut names: Vec<&str> = self.trees.keys().copied().filter(|name| !name.is_empty()).collect();
        names.sort_unstable();
        format!("`{}`", names.join("`, `"))
    }

    /// The behaviour that a whole tree begins with.
    fn tree(&mut self, tree: &'e Element) -> Option<usize> {
        let [only] = tree.children.as_slice() else {
            let message = format!("a tree has one element at its top, found {}", tree.children.len());
            self.misfit(&tree.span, message);
            return None;
        };
        if let Some(term) = self.condition(only) {
            self.misfit(&term.span, "this tree has conditions only: there is nothing to do");
            return None;
        }
        self.node(only)
    }

    /// A new behaviour, named after the element.
    fn draft(&mut self, element: &Element, suffix: &str) -> Option<usize> {
        if self.drafts.len() >= MOST_NODES {
            if !std::mem::replace(&mut self.full, true) {
                self.misfit(&element.span, format!("the tree becomes more than {MOST_NODES} behaviours; trees count as often as they are used"));
            }
            return None;
        }
        let named =
            ["name", "ID"].iter().find_map(|key| element.get(key).filter(|said| !said.value.is_empty()));
        let base = kebab(named.map_or(&element.tag, |said| &said.value)) + suffix;
        let numbered = (2..).map(|number| format!("{base}-{number}"));
        let name = std::iter::once(base.clone()).chain(numbered).find(|name| !self.names.contains(name))?;
        self.names.insert(name.clone());
        self.drafts.push(Draft { name, span: element.span.clone(), ..Draft::default() });
        Some(self.drafts.len() - 1)
    }

    /// The behaviour of an element that is no condition.
    fn node(&mut self, element: &'e Element) -> Option<usize> {
        let node = self.kind(element)?;
        for attribute in element.attributes.iter().filter(|attribute| attribute.name.starts_with('_')) {
            self.guard(node, attribute);
        }
        Some(node)
    }

    fn kind(&mut self, element: &'e Element) -> Option<usize> {
        let declared = self.models.get(element.tag.as_str()).copied();
        match element.tag.as_str() {
            "Sequence" | "SequenceStar" | "SequenceWithMemory" | "AsyncSequence" => {
                self.sequence(element, false)
            }
            "ReactiveSequence" => self.sequence(element, true),
            "Fallback" | "AsyncFallback" => self.fallback(element, false),
            "ReactiveFallback" => self.fallback(element, true),
            "IfThenElse" => self.if_then_else(element),
            "Parallel" | "ParallelAll" => self.parallel(element),
            "Repeat" => self.repeat(element),
            "KeepRunningUntilFailure" => {
                let node = self.within_loop(element)?;
                self.drafts[node].next = vec![node];
                self.wrapped(element, node)
            }
            // Work is tried until it is done, and no result is passed on.
            "RetryUntilSuccessful" | "RetryUntilSuccesful" | "ForceSuccess" => self.only(element),
            "RunOnce" => {
                let node = self.only(element)?;
                self.drafts[node].when.push(Term::new("count == 0", &element.span));
                Some(node)
            }
            "Timeout" => {
                let (seconds, span) = self.seconds(element, "msec")?;
                let node = self.only(element)?;
                self.drafts[node].until.push(Term::new(format!("elapsed > {seconds}"), &span));
                Some(node)
            }
            "Delay" => self.delay(element),
            "Sleep" => {
                let (seconds, span) = self.seconds(element, "msec")?;
                let node = self.draft(element, "")?;
                self.drafts[node].until.push(Term::new(format!("elapsed > {seconds}"), &span));
                Some(node)
            }
            "SubTree" | "SubTreePlus" => self.sub_tree(element, element.get("ID")),
            "Action" => self.leaf(element, element.get("ID")),
            tag if BUILT_IN.contains(&tag) => self.unmapped(element),
            _ if declared == Some("SubTree") => self.sub_tree(element, None),
            _ if declared.is_some_and(|kind| kind == "Control" || kind == "Decorator") => {
                self.unmapped(element)
            }
            _ if element.children.is_empty() => self.leaf(element, None),
            _ => self.unmapped(element),
        }
    }

    fn unmapped(&mut self, element: &Element) -> Option<usize> {
        let why = match element.tag.as_str() {
            "Inverter" | "ForceFailure" | "AlwaysFailure" => {
                "it is about an action's failure, and behaviours only end; around a condition it is accepted"
            }
            "Script" | "SetBlackboard" | "UnsetBlackboard" => {
                "there is no blackboard; what robots know they offer as signals"
            }
            "Condition" | "ScriptCondition" | "AlwaysSuccess" => {
                "a condition needs a behaviour after it that depends on it"
            }
            "ManualSelector" => {
                "write the alternatives as `next` in a graph of your own, with the protocol `ask-operator`"
            }
            _ => {
                "accepted are Sequence, Fallback, IfThenElse, Parallel, their reactive forms, Repeat, Timeout, Delay, Sleep, RunOnce, RetryUntilSuccessful, ForceSuccess, KeepRunningUntilFailure, Inverter around conditions, SubTree, actions and conditions"
            }
        };
        self.misfit(&element.span, format!("`{}` cannot become a part of a graph: {why}", element.tag));
        None
    }

    /// `_skipIf` and `_while` are conditions of a graph, too.
    fn guard(&mut self, node: usize, attribute: &Attribute) {
        let term = Term::new(attribute.value.trim(), &attribute.span);
        let draft = &mut self.drafts[node];
        match attribute.name.as_str() {
            "_skipIf" => draft.when.push(term.negated()),
            "_while" => {
                draft.until.push(term.negated());
                draft.when.push(term);
            }
            "_autoremap" | "_description" | "_fullpath" | "_uid" => {}
            name => {
                let message =
                    format!("`{name}` cannot become a part of a graph; accepted are `_skipIf` and `_while`");
                self.misfit(&attribute.name_span, message);
            }
        }
    }

    /// The condition that an element stands for, if it does: a condition, or several with nothing else between them.
    fn condition(&self, element: &'e Element) -> Option<Term> {
        let all = |sign: &str| {
            let terms: Option<Vec<Term>> =
                element.children.iter().map(|child| self.condition(child)).collect();
            joined(&terms?, sign)
        };
        let named = |id: &Attribute| Term::new(format!("{} > 0", spelt(&kebab(&id.value))), &id.span);
        match element.tag.as_str() {
            "Condition" => element.get("ID").map(named),
            "ScriptCondition" => element.get("code").map(|code| Term::new(code.value.trim(), &code.span)),
            "AlwaysSuccess" => Some(Term::new("true", &element.span)),
            "AlwaysFailure" => Some(Term::new("false", &element.span)),
            "Inverter" => match element.children.as_slice() {
                [only] => self.condition(only).map(|term| term.negated()),
                _ => None,
            },
            "Sequence" | "ReactiveSequence" => all("&&"),
            "Fallback" | "ReactiveFallback" => all("||"),
            tag if self.models.get(tag) == Some(&"Condition") => {
                Some(Term::new(format!("{} > 0", spelt(&kebab(tag))), &element.span))
            }
            _ => None,
        }
    }

    /// The chain of a sequence, within a behaviour. Conditions in front of everything are its own, the others belong to what follows.
    fn sequence(&mut self, element: &'e Element, reactive: bool) -> Option<usize> {
        if element.children.is_empty() {
            self.misfit(&element.span, format!("`{}` has no children", element.tag));
            return None;
        }
        let whole = self.draft(element, "")?;
        let mut last: Option<usize> = None;
        let mut pending: Vec<Term> = Vec::new();
        for child in &element.children {
            if let Some(term) = self.condition(child) {
                pending.push(term);
                continue;
            }
            let terms = std::mem::take(&mut pending);
            let Some(step) = self.node(child) else { continue };
            if reactive {
                let ends = terms.iter().map(Term::negated);
                self.drafts[whole].until.extend(ends);
            }
            match last {
                None => {
                    self.drafts[whole].children = vec![step];
                    self.drafts[whole].when.extend(terms);
                }
                Some(last) => {
                    self.drafts[last].next.push(step);
                    // What a repetition repeats depends on the conditions in front of it only at its start.
                    self.drafts[step].when.extend(terms);
                }
            }
            last = Some(step);
        }
        if let Some(term) = pending.first() {
            let message = "a condition at the end of a sequence only changes its result, and behaviours have none: put it in front of what depends on it";
            self.misfit(&term.span, message);
        }
        Some(whole)
    }

    /// Alternatives, of which the first possible one is taken: each excludes those before it.
    fn fallback(&mut self, element: &'e Element, reactive: bool) -> Option<usize> {
        let branches: Vec<(&Element, Option<Term>)> =
            element.children.iter().map(|child| (child, None)).collect();
        self.alternatives(element, branches, reactive)
    }

    fn if_then_else(&mut self, element: &'e Element) -> Option<usize> {
        let (test, branches) = match element.children.as_slice() {
            [test, branches @ ..] if (1..=2).contains(&branches.len()) => (test, branches),
            _ => {
                self.misfit(
                    &element.span,
                    format!("`IfThenElse` has two or three children, found {}", element.children.len()),
                );
                return None;
            }
        };
        let Some(term) = self.condition(test) else {
            self.misfit(
                &test.span,
                "the first child of `IfThenElse` must be a condition: behaviours have no result",
            );
            return None;
        };
        let tests = [Some(term), None];
        self.alternatives(element, branches.iter().zip(tests).collect(), false)
    }

    fn alternatives(
        &mut self,
        element: &'e Element,
        branches: Vec<(&'e Element, Option<Term>)>,
        reactive: bool,
    ) -> Option<usize> {
        let whole = self.draft(element, "")?;
        let start = self.draft(element, "-choice")?;
        self.drafts[whole].children = vec![start];
        let mut before: Vec<Term> = Vec::new();
        let count = branches.len();
        for (place, (branch, test)) in branches.into_iter().enumerate() {
            if let Some(term) = self.condition(branch).filter(|_| test.is_none()) {
                before.push(term);
                continue;
            }
            let Some(node) = self.node(branch) else { continue };
            let draft = &mut self.drafts[node];
            draft.when.extend(test);
            let own = joined(&draft.when, "&&");
            draft.when.splice(0..0, before.iter().map(Term::negated));
            if reactive {
                draft.until.extend(before.iter().cloned());
            }
            self.drafts[start].next.push(node);
            match own {
                Some(term) => before.push(term),
                None if place + 1 < count => {
                    let message = format!(
                        "what follows `{}` would be done if it fails, and behaviours only end: put a condition in front of it",
                        self.drafts[node].name
                    );
                    self.misfit(&branch.span, message);
                }
                None => {}
            }
        }
        if self.drafts[start].next.is_empty() && self.misfits.is_empty() {
            self.misfit(&element.span, format!("`{}` has nothing to do", element.tag));
        }
        Some(whole)
    }

    /// Branches that robots share among themselves.
    fn parallel(&mut self, element: &'e Element) -> Option<usize> {
        let whole = self.draft(element, "")?;
        for child in &element.children {
            if let Some(term) = self.condition(child) {
                let message = "a condition cannot be a branch of its own: use a ReactiveSequence around it and what depends on it";
                self.misfit(&term.span, message);
                continue;
            }
            let node = self.node(child);
            self.drafts[whole].children.extend(node);
        }
        let said = ["success_count", "success_threshold"].iter().find_map(|key| element.get(key));
        match said.map(|said| (said, said.value.trim())) {
            None => {}
            Some((_, "1")) => self.drafts[whole].any = element.children.len() > 1,
            Some((_, count)) if count == "-1" || count == element.children.len().to_string() => {}
            Some((said, count)) => {
                let all = element.children.len();
                let message = format!(
                    "`{}` is 1 (one branch ends all) or {all} (all have to end), found {count}",
                    said.name
                );
                self.misfit(&said.span, message);
            }
        }
        if element.children.is_empty() {
            self.misfit(&element.span, format!("`{}` has no children", element.tag));
        }
        Some(whole)
    }

    /// The behaviour of a decorator's only child.
    fn only(&mut self, element: &'e Element) -> Option<usize> {
        let [only] = element.children.as_slice() else {
            self.misfit(
                &element.span,
                format!("`{}` has one child, found {}", element.tag, element.children.len()),
            );
            return None;
        };
        if let Some(term) = self.condition(only) {
            let message = format!(
                "`{}` around a condition cannot become a part of a graph: it is about its result over time",
                element.tag
            );
            self.misfit(&term.span, message);
            return None;
        }
        self.node(only)
    }

    fn within_loop(&mut self, element: &'e Element) -> Option<usize> {
        self.loops += 1;
        let node = self.only(element);
        self.loops -= 1;
        node
    }

    /// What is repeated needs a chain of its own.
    fn wrapped(&mut self, element: &'e Element, node: usize) -> Option<usize> {
        let whole = self.draft(element, "")?;
        self.drafts[whole].children = vec![node];
        Some(whole)
    }

    fn repeat(&mut self, element: &'e Element) -> Option<usize> {
        let cycles = element.get("num_cycles");
        let Some(count) = cycles
            .and_then(|said| said.value.trim().parse::<i64>().ok())
            .filter(|count| *count >= -1 && *count != 0)
        else {
            let span = cycles.map_or(&element.span, |said| &said.span).clone();
            self.misfit(&span, "`num_cycles` is a number from 1 or -1 for endless repetition");
            return None;
        };
        if count > 0 && self.loops > 0 {
            let message =
                "a repetition with a number cannot be within another one: `count` counts over the whole run";
            self.misfit(&element.span, message);
            return None;
        }
        let node = self.within_loop(element)?;
        let draft = &mut self.drafts[node];
        draft.next = vec![node];
        if let Some(said) = cycles.filter(|_| count > 0) {
            draft.when.push(Term::new(format!("count < {count}"), &said.span));
        }
        self.wrapped(element, node)
    }

    fn delay(&mut self, element: &'e Element) -> Option<usize> {
        let (seconds, span) = self.seconds(element, "delay_msec")?;
        let whole = self.draft(element, "")?;
        let wait = self.draft(element, "-wait")?;
        let node = self.only(element)?;
        self.drafts[wait].until.push(Term::new(format!("elapsed > {seconds}"), &span));
        self.drafts[wait].next = vec![node];
        self.drafts[whole].children = vec![wait];
        Some(whole)
    }

    /// A time in milliseconds, in seconds.
    fn seconds(&mut self, element: &Element, key: &str) -> Option<(f64, Span)> {
        let said = element.get(key);
        let number = said.and_then(|said| said.value.trim().parse::<u32>().ok());
        match (number, said) {
            (Some(milliseconds), Some(said)) => Some((f64::from(milliseconds) / 1000.0, said.span.clone())),
            _ => {
                let span = said.map_or(&element.span, |said| &said.span).clone();
                self.misfit(
                    &span,
                    format!("`{}` needs `{key}`: a whole number of milliseconds", element.tag),
                );
                None
            }
        }
    }

    fn sub_tree(&mut self, element: &'e Element, id: Option<&'e Attribute>) -> Option<usize> {
        let (name, span) =
            id.map_or((element.tag.as_str(), &element.span), |id| (id.value.as_str(), &id.span));
        let Some(tree) = self.trees.get(name).copied() else {
            self.misfit(span, format!("there is no tree `{name}`; there are {}", self.listed()));
            return None;
        };
        if self.open.contains(&name) || self.open.len() >= DEEPEST_TREE {
            self.misfit(
                span,
                format!(
                    "trees contain each other in a circle or too deeply: {} > {name}",
                    self.open.join(" > ")
                ),
            );
            return None;
        }
        self.open.push(name);
        let node = self.tree(tree);
        self.open.pop();
        node
    }

    /// What robots do: a task or a behaviour set.
    fn leaf(&mut self, element: &'e Element, id: Option<&'e Attribute>) -> Option<usize> {
        if element.tag == "Action" && id.is_none() {
            self.misfit(&element.span, "`<Action>` needs an `ID`: a task or a behaviour set of the mission");
            return None;
        }
        let (name, span) =
            id.map_or((element.tag.as_str(), &element.span), |id| (id.value.as_str(), &id.span));
        for input in element
            .attributes
            .iter()
            .filter(|said| !OWN.contains(&said.name.as_str()) && !said.name.starts_with('_'))
        {
            let message = format!("`{}` is not used: behaviours have no inputs in a graph", input.name);
            self.misfits.push(Misfit::warning(input.name_span.clone(), message));
        }
        let node = self.draft(element, "")?;
        self.drafts[node].work = Some((kebab(name), span.clone()));
        Some(node)
    }
}

/// Kinds of nodes that BehaviorTree.CPP brings and that have no counterpart.
const BUILT_IN: &[&str] = &[
    "AlwaysFailure",
    "AlwaysSuccess",
    "Condition",
    "ConsumeQueue",
    "EntryUpdated",
    "ForceFailure",
    "Inverter",
    "LoopDouble",
    "LoopInt",
    "LoopString",
    "ManualSelector",
    "Precondition",
    "Script",
    "ScriptCondition",
    "SetBlackboard",
    "SkipUnlessUpdated",
    "Switch2",
    "Switch3",
    "Switch4",
    "Switch5",
    "Switch6",
    "UnsetBlackboard",
    "WaitValueUpdate",
    "WhileDoElse",
];

/// A name as missions write it: `SearchBlue` and `search_blue` become `search-blue`.
fn kebab(name: &str) -> String {
    let mut written = String::with_capacity(name.len() + 4);
    let mut previous = '-';
    for character in name.trim().chars() {
        if character.is_uppercase() && (previous.is_lowercase() || previous.is_ascii_digit()) {
            written.push('-');
        }
        previous = character;
        match character {
            '_' | '.' | ' ' | '-' if written.ends_with('-') => {}
            '_' | '.' | ' ' => written.push('-'),
            c if c.is_control() => written.push('-'),
            c => written.extend(c.to_lowercase()),
        }
    }
    match written.trim_matches('-') {
        "" => "behaviour".into(),
        name => name.into(),
    }
}
