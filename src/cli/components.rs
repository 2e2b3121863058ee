//! Which components of a design are suspects: what `--components`, `--only` and `--except`
//! mean.
//!
//! A place is a file, some lines of a file, an instance with all that is in it, or one
//! component by its name. Whatever was asked for and matches nothing is an error: a slip of
//! the pen must not look like a design without faults.

use super::options::{ComponentKind as KindOption, ComponentOptions};
use crate::design::aiger::AigerFile;
use crate::design::suggest::did_you_mean;
use crate::design::verilog::Elaborated;
use crate::design::verilog::edits::{EditKind, SourceEdit};
use crate::design::{Component, ComponentId, ComponentKind, Netlist, NodeId};
use crate::source::record::PlaceRecord;
use crate::source::{Diagnostic, Sources, codes::frame};
use clap::ValueEnum;
use std::collections::BTreeSet;
use std::path::Path;

/// The components that may be wrong, in the order of the design.
pub fn select(
    options: &ComponentOptions,
    netlist: &Netlist,
    sources: &Sources,
) -> Result<Vec<ComponentId>, Vec<Diagnostic>> {
    let components = netlist.components();
    let mut errors = Vec::new();
    for kind in &options.components {
        if !components.iter().any(|one| option_of(one.kind) == *kind) {
            errors.push(no_such_kind(*kind, components));
        }
    }
    let only = places(&options.only);
    let except = places(&options.except);
    for (option, places) in [("--only", &only), ("--except", &except)] {
        for place in places {
            if !components.iter().any(|one| place.contains(one, sources)) {
                errors.push(nothing_here(place.whole, option, components, sources));
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let is_suspect = |component: &Component| {
        let within = |places: &[Place]| places.iter().any(|one| one.contains(component, sources));
        let kinds = &options.components;
        (kinds.is_empty() || kinds.contains(&option_of(component.kind)))
            && (only.is_empty() || within(&only))
            && !within(&except)
    };
    let chosen: Vec<ComponentId> = netlist
        .component_ids()
        .zip(components)
        .filter(|(_, component)| is_suspect(component))
        .map(|(id, _)| id)
        .collect();
    if chosen.is_empty() {
        return Err(vec![nothing_left(components)]);
    }
    Ok(chosen)
}

/// The same for edits of a text, each with the component that it is inside of.
pub fn select_edits(
    options: &ComponentOptions,
    edits: Vec<SourceEdit>,
    components: &[Component],
    sources: &Sources,
) -> Result<Vec<SourceEdit>, Vec<Diagnostic>> {
    let only = places(&options.only);
    let except = places(&options.except);
    let place = |edit: &SourceEdit| {
        let around = components.iter().find(|one| {
            let within = edit.within.map(|(span, kind)| (Some(span), kind));
            within == Some((one.span, one.kind))
        });
        Component {
            kind: ComponentKind::Value,
            name: String::new(),
            span: Some(edit.place()),
            scope: around.map(|one| one.scope.clone()).unwrap_or_default(),
            width: 0,
        }
    };
    let mut errors = Vec::new();
    for (option, places) in [("--only", &only), ("--except", &except)] {
        for one in places {
            let of_edit = |edit: &SourceEdit| one.contains(&place(edit), sources);
            let of_component = |component: &Component| one.contains(component, sources);
            if !edits.iter().any(of_edit) && !components.iter().any(of_component) {
                errors.push(nothing_here(one.whole, option, components, sources));
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let kinds = &options.components;
    let is_suspect = |edit: &SourceEdit| {
        let component = place(edit);
        let within = |places: &[Place]| places.iter().any(|one| one.contains(&component, sources));
        let around = edit.within.map(|(_, kind)| option_of(kind));
        let of_kind = kinds.is_empty()
            || kinds.contains(&option_of_edit(edit.kind))
            || around.is_some_and(|kind| kinds.contains(&kind));
        of_kind && (only.is_empty() || within(&only)) && !within(&except)
    };
    Ok(edits.into_iter().filter(is_suspect).collect())
}

fn option_of_edit(kind: EditKind) -> KindOption {
    match kind {
        EditKind::Literal => KindOption::Literal,
        EditKind::Operator => KindOption::Operator,
        EditKind::Signal => KindOption::Signal,
        EditKind::Negation => KindOption::Negation,
        EditKind::Condition => KindOption::Condition,
        EditKind::Value | EditKind::Registers => KindOption::Assignment,
        EditKind::Target | EditKind::Assignment => KindOption::Target,
        EditKind::Branch => KindOption::Condition,
        EditKind::Reset => KindOption::Reset,
    }
}

/// The components with a value of their own that are suspects; none is no mistake here.
pub fn select_values(
    options: &ComponentOptions,
    netlist: &Netlist,
    sources: &Sources,
) -> Vec<ComponentId> {
    let only = places(&options.only);
    let except = places(&options.except);
    let components = netlist.component_ids().zip(netlist.components());
    components
        .filter(|(_, component)| {
            let within =
                |places: &[Place]| places.iter().any(|one| one.contains(component, sources));
            let kinds = &options.components;
            (kinds.is_empty() || kinds.contains(&option_of(component.kind)))
                && (only.is_empty() || within(&only))
                && !within(&except)
        })
        .map(|(id, _)| id)
        .collect()
}

/// A Verilog design with its right-hand sides, conditions and labels as components, each
/// called by its place.
pub fn verilog_netlist(open: &Elaborated, sources: &Sources) -> Result<Netlist, Diagnostic> {
    let mut file = AigerFile::from_design(open.design.clone(), &[])?;
    file.outputs_are_plain = true;
    let components = open.components.iter().map(|recorded| {
        let bits: Vec<NodeId> = recorded.instances.iter().flatten().copied().collect();
        let component = Component {
            kind: recorded.kind,
            name: PlaceRecord::new(recorded.span, sources).text(),
            span: Some(recorded.span),
            scope: recorded.scope.clone(),
            width: bits.len(),
        };
        (component, bits)
    });
    Ok(Netlist::with_components(file, components.collect()))
}

fn places(texts: &[String]) -> Vec<Place<'_>> {
    texts.iter().map(|text| Place::parse(text)).collect()
}

/// The word of `--components` for a kind.
fn option_of(kind: ComponentKind) -> KindOption {
    match kind {
        ComponentKind::Gate => KindOption::Gate,
        ComponentKind::LatchNext => KindOption::Latch,
        ComponentKind::LatchReset => KindOption::Reset,
        ComponentKind::Value => KindOption::Assignment,
        ComponentKind::Condition | ComponentKind::Label => KindOption::Condition,
    }
}

/// An argument of `--only` or `--except`.
struct Place<'a> {
    /// A file, an instance or a component.
    name: &'a str,
    /// The first and the last line, if the argument ends in lines.
    lines: Option<(u32, u32)>,
    whole: &'a str,
}

impl Place<'_> {
    fn parse(text: &str) -> Place<'_> {
        let lines = text.rsplit_once(':').and_then(|(name, lines)| {
            let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
            Some((name, (first.parse().ok()?, last.parse().ok()?)))
        });
        match lines {
            Some((name, lines)) => Place {
                name,
                lines: Some(lines),
                whole: text,
            },
            None => Place {
                name: text,
                lines: None,
                whole: text,
            },
        }
    }

    fn contains(&self, component: &Component, sources: &Sources) -> bool {
        self.names(component) || self.covers(component, sources)
    }

    /// Whether the place is the component or an instance around it.
    fn names(&self, component: &Component) -> bool {
        if component.name == self.whole || path(component) == self.whole {
            return true;
        }
        (1..=component.scope.len()).any(|depth| component.scope[..depth].join(".") == self.whole)
    }

    /// Whether the place is the file, or lines of it, in which the component stands.
    fn covers(&self, component: &Component, sources: &Sources) -> bool {
        let Some(span) = component.span else {
            return false;
        };
        let file = sources.file(span.file);
        if !Path::new(&file.name).ends_with(self.name) {
            return false;
        }
        let Some((first, last)) = self.lines else {
            return true;
        };
        let line = |offset: u32| Some(file.position(offset as usize)?.line);
        match (line(span.start), line(span.end.max(span.start + 1) - 1)) {
            (Some(start), Some(end)) => start <= last && first <= end,
            // A binary file has no lines.
            _ => false,
        }
    }
}

/// The name with all instances around it.
fn path(component: &Component) -> String {
    let mut parts = component.scope.clone();
    parts.push(component.name.clone());
    parts.join(".")
}

fn no_such_kind(kind: KindOption, components: &[Component]) -> Diagnostic {
    let word = |kind: KindOption| match kind.to_possible_value() {
        Some(value) => value.get_name().to_string(),
        None => String::new(),
    };
    let message = format!("this design has no component of the kind `{}`", word(kind));
    let mut known: Vec<String> = Vec::new();
    for component in components {
        let word = word(option_of(component.kind));
        if !known.contains(&word) {
            known.push(word);
        }
    }
    let diagnostic = Diagnostic::error(frame::NO_SUCH_COMPONENT, message);
    match known.as_slice() {
        [] => diagnostic.help("the design itself has no logic; there is nothing to repair"),
        known => diagnostic.help(format!("it has {}", known.join(", "))),
    }
}

fn nothing_here(
    place: &str,
    option: &str,
    components: &[Component],
    sources: &Sources,
) -> Diagnostic {
    let message = format!("`{option} {place}` is the place of no component");
    let mut known: BTreeSet<String> = BTreeSet::new();
    for component in components {
        known.insert(component.name.clone());
        known.insert(path(component));
        for depth in 1..=component.scope.len() {
            known.insert(component.scope[..depth].join("."));
        }
        if let Some(span) = component.span {
            known.insert(sources.file(span.file).name.clone());
        }
    }
    let diagnostic = Diagnostic::error(frame::NO_SUCH_COMPONENT, message);
    match did_you_mean(place, known.iter().map(String::as_str)) {
        Some(help) => diagnostic.help(help),
        None => diagnostic
            .help("a place is a module, FILE, FILE:LINE, FILE:FIRST-LAST, or a component's name"),
    }
}

fn nothing_left(components: &[Component]) -> Diagnostic {
    let message = if components.is_empty() {
        "the design itself has no logic, so nothing in it can be wrong"
    } else {
        "`--components`, `--only` and `--except` together leave no component"
    };
    Diagnostic::error(frame::NO_SUCH_COMPONENT, message)
        .help("logic that only properties read is never a component")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::aiger;

    /// One latch that copies the conjunction of two inputs; the property reads the latch.
    const FILE: &str = "aag 4 2 1 1 1 1\n2\n4\n6 8 0\n6\n7\n8 4 2\ni0 a\ni1 b\nl0 q\nc\n";

    fn check(options: &[(&str, &str)], expected: Result<&[&str], &str>) {
        let mut sources = Sources::new();
        let id = sources.add("dir/gate.aag", FILE);
        let file = aiger::read(FILE.as_bytes(), Some(id)).unwrap();
        let netlist = Netlist::new(file);
        let all = |wanted: &str| {
            let chosen = options.iter().filter(|(option, _)| *option == wanted);
            chosen.map(|(_, value)| value.to_string()).collect()
        };
        let kinds: Vec<String> = all("kind");
        let options = ComponentOptions {
            components: kinds
                .iter()
                .map(|kind| KindOption::from_str(kind, false).unwrap())
                .collect(),
            only: all("only"),
            except: all("except"),
            faults: None,
        };
        let found = select(&options, &netlist, &sources);
        let names = found.as_ref().map(|ids| -> Vec<String> {
            let names = ids.iter().map(|id| &netlist.components()[id.0 as usize]);
            names
                .map(|one| format!("{:?} {}", one.kind, one.name))
                .collect()
        });
        match (names, expected) {
            (Ok(names), Ok(expected)) => assert_eq!(names, expected),
            (Err(errors), Err(expected)) => {
                let text = format!("{}: {:?}", errors[0].message, errors[0].help);
                assert!(text.contains(expected), "{text}");
            }
            (names, expected) => panic!("{names:?} where {expected:?} was expected"),
        }
    }

    #[test]
    fn without_options_all_are_suspects() {
        check(&[], Ok(&["Gate and8", "LatchNext q", "LatchReset q"]));
    }

    #[test]
    fn kinds_and_places_are_combined() {
        check(&[("kind", "latch"), ("only", "q")], Ok(&["LatchNext q"]));
        check(&[("kind", "gate"), ("except", "q")], Ok(&["Gate and8"]));
        check(&[("only", "gate.aag:7")], Ok(&["Gate and8"]));
        check(
            &[("only", "dir/gate.aag"), ("except", "gate.aag:1-5")],
            Ok(&["Gate and8"]),
        );
    }

    #[test]
    fn what_matches_nothing_is_an_error() {
        check(&[("kind", "operator")], Err("it has gate, latch, reset"));
        check(&[("only", "and9")], Err("did you mean `and8`"));
        check(&[("except", "gate.aag:99")], Err("place of no component"));
        check(&[("only", "q"), ("except", "q")], Err("leave no component"));
    }
}
