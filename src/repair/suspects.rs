//! Which components of a design are suspects: what `--components`, `--only` and `--except`
//! mean.
//!
//! A location is a module, a file, some lines of a file, an instance with all that is in it, or
//! one component by its name. Whatever was asked for and matches nothing is an error: a slip of
//! the pen must not look like a design without faults.

use crate::design::suggest::did_you_mean;
use crate::design::verilog::edits::SourceEdit;
use crate::design::{Component, ComponentId, ComponentKind, FrontEnd, Kind, Netlist};
use crate::source::{Diagnostic, Sources, Span, codes::frame};
use std::collections::BTreeSet;
use std::path::Path;

/// Where components stand: the files, and the modules in them.
pub struct Layout<'a> {
    sources: &'a Sources,
    modules: Vec<(String, Span)>,
}

impl Layout<'_> {
    pub fn new<'a>(front_end: &dyn FrontEnd, sources: &'a Sources) -> Layout<'a> {
        Layout {
            sources,
            modules: front_end.modules(),
        }
    }
}

/// Which components are suspects; empty lists mean all.
#[derive(Clone, Debug, Default)]
pub struct SuspectFilter {
    pub kinds: Vec<Kind>,
    /// Modules, files, lines or names.
    pub only: Vec<String>,
    pub except: Vec<String>,
}

impl SuspectFilter {
    /// The components that may be wrong, in the order of the design. None is an error.
    pub fn components(
        &self,
        netlist: &Netlist,
        layout: &Layout,
    ) -> Result<Vec<ComponentId>, Vec<Diagnostic>> {
        let components = netlist.components();
        let mut errors = Vec::new();
        for kind in &self.kinds {
            let is_known = |one: &Component| one.kind.kind() == *kind;
            if !components.iter().any(is_known) {
                errors.push(no_such_kind(*kind, components));
            }
        }
        self.check(components, &[], layout, &mut errors);
        if !errors.is_empty() {
            return Err(errors);
        }
        let chosen = self.values(netlist, layout);
        if chosen.is_empty() {
            return Err(vec![nothing_left(components)]);
        }
        Ok(chosen)
    }

    /// The components with a value of their own that are suspects; none is no mistake where
    /// there are edits besides.
    pub fn values(&self, netlist: &Netlist, layout: &Layout) -> Vec<ComponentId> {
        let components = netlist.component_ids().zip(netlist.components());
        components
            .filter(|(_, component)| {
                self.has_kind(component.kind.kind()) && self.has(component, layout)
            })
            .map(|(id, _)| id)
            .collect()
    }

    /// The edits of a text that may be corrections, each with the component that it is inside
    /// of.
    pub fn edits(
        &self,
        edits: Vec<SourceEdit>,
        components: &[Component],
        layout: &Layout,
    ) -> Result<Vec<SourceEdit>, Vec<Diagnostic>> {
        let location = |edit: &SourceEdit| {
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
        if !self.only.is_empty() || !self.except.is_empty() {
            let of_edits: Vec<Component> = edits.iter().map(location).collect();
            self.check(components, &of_edits, layout, &mut errors);
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let is_suspect = |edit: &SourceEdit| {
            let around = edit.within.map(|(_, kind)| kind.kind());
            let of_kind = self.has_kind(edit.kind)
                || self.has_kind(edit.template)
                || around.is_some_and(|kind| self.has_kind(kind));
            of_kind && self.has(&location(edit), layout)
        };
        Ok(edits.into_iter().filter(is_suspect).collect())
    }

    /// The same locations, whatever may be wrong there.
    pub fn of_any_kind(&self) -> SuspectFilter {
        SuspectFilter {
            kinds: Vec::new(),
            ..self.clone()
        }
    }

    fn has_kind(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    fn has(&self, component: &Component, layout: &Layout) -> bool {
        let within = |texts: &[String]| {
            let mut places = texts.iter().map(|text| Place::parse(text));
            places.any(|place| place.contains(component, layout))
        };
        (self.only.is_empty() || within(&self.only)) && !within(&self.except)
    }

    /// Whatever contains nothing is an error.
    fn check(
        &self,
        components: &[Component],
        more: &[Component],
        layout: &Layout,
        errors: &mut Vec<Diagnostic>,
    ) {
        for (option, texts) in [("--only", &self.only), ("--except", &self.except)] {
            for text in texts {
                let place = Place::parse(text);
                let mut known = components.iter().chain(more);
                if !known.any(|one| place.contains(one, layout)) {
                    errors.push(nothing_here(place.whole, option, components, layout));
                }
            }
        }
    }
}

/// An argument of `--only` or `--except`.
struct Place<'a> {
    /// A file.
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

    fn contains(&self, component: &Component, layout: &Layout) -> bool {
        self.names(component) || self.covers(component, layout) || self.is_module(component, layout)
    }

    /// Whether the place is the component or an instance around it.
    fn names(&self, component: &Component) -> bool {
        if component.name == self.whole || path(component) == self.whole {
            return true;
        }
        (1..=component.scope.len()).any(|depth| component.scope[..depth].join(".") == self.whole)
    }

    /// Whether the place is the module in whose text the component stands.
    fn is_module(&self, component: &Component, layout: &Layout) -> bool {
        let Some(span) = component.span else {
            return false;
        };
        let inside = |module: &Span| {
            module.file == span.file && module.start <= span.start && span.end <= module.end
        };
        let mut modules = layout.modules.iter();
        modules.any(|(name, module)| name == self.whole && inside(module))
    }

    /// Whether the place is the file, or lines of it, in which the component stands.
    fn covers(&self, component: &Component, layout: &Layout) -> bool {
        let Some(span) = component.span else {
            return false;
        };
        let file = layout.sources.file(span.file);
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

fn no_such_kind(kind: Kind, components: &[Component]) -> Diagnostic {
    let message = format!("this design has no component of the kind `{}`", kind.word());
    let mut known: Vec<&str> = Vec::new();
    for component in components {
        let word = component.kind.kind().word();
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
    layout: &Layout,
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
            known.insert(layout.sources.file(span.file).name.clone());
        }
    }
    known.extend(layout.modules.iter().map(|(name, _)| name.clone()));
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
        let netlist = file.netlist();
        let all = |wanted: &str| {
            let chosen = options.iter().filter(|(option, _)| *option == wanted);
            chosen.map(|(_, value)| value.to_string()).collect()
        };
        let words: Vec<String> = all("kind");
        let kinds = [Kind::Gate, Kind::Latch, Kind::Operator];
        let is_named = |kind: &Kind| words.iter().any(|word| word == kind.word());
        let filter = SuspectFilter {
            kinds: kinds.into_iter().filter(is_named).collect(),
            only: all("only"),
            except: all("except"),
        };
        let layout = Layout {
            sources: &sources,
            modules: Vec::new(),
        };
        let found = filter.components(&netlist, &layout);
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
