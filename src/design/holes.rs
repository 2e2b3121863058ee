//! Components of a netlist, and the netlist with some of them open.
//!
//! Two ways to open components. [`Netlist::elaborate`] opens some for good: a gate becomes a
//! choice input in place, so that all that read it read the choice (Sec. 3.2 of the repair
//! paper: the gate is removed and its output becomes an input). [`Netlist::instrument`] puts
//! all suspects into one design: a rigid choice says which of them is replaced, and the
//! others keep their function (the program game of Sec. 4). There the suspect is chosen in
//! an initial state; here by latches whose initial value is the system's.
//!
//! Gates that AIGER tools merged between a property's own logic and the design are
//! components, and opening one opens it for the property too: a file does not tell a shared
//! gate from a property that observes the design's signal.

use std::collections::BTreeMap;

use super::codes;
use super::component::{Component, ComponentId, ComponentKind, OpenHole, Timing};
use super::cone::NodeSet;
use super::function::Function;
use super::literal::{Literal, NodeId};
use super::netlist::{Design, InputKind, Node, Reset};
use crate::source::Diagnostic;

/// One bit that a component determines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Site {
    Gate(NodeId),
    Next(NodeId),
    Reset(NodeId),
}

/// A design with its components, whatever format it came from.
#[derive(Clone, Debug)]
pub struct Netlist {
    pub(super) design: Design,
    /// What the format calls the nodes that have no name, if it has numbers for them.
    numbers: BTreeMap<NodeId, u32>,
    components: Vec<Component>,
    /// For each component, its bits, least significant first.
    sites: Vec<Vec<Site>>,
}

/// A design with holes. Literals of the source, also those in its properties, mean the same
/// nodes here.
#[derive(Clone, Debug)]
pub struct Elaboration {
    pub design: Design,
    /// In the order in which the holes were given.
    pub holes: Vec<OpenHole>,
}

/// A design in which the system says once which suspects are replaced, and then by what.
#[derive(Clone, Debug)]
pub struct Diagnosable {
    pub design: Design,
    /// For each fault the latches that number its suspect, least significant first. A number
    /// that no suspect has means that nothing is replaced.
    pub diagnosis: Vec<Vec<NodeId>>,
    /// For each fault the inputs that replace a dynamic suspect.
    pub dynamic_choices: Vec<Vec<NodeId>>,
    /// For each fault the latches that replace a rigid suspect.
    pub rigid_choices: Vec<Vec<NodeId>>,
    /// In the order in which they were given, which is their numbering.
    pub suspects: Vec<Suspect>,
}

#[derive(Clone, Debug)]
pub struct Suspect {
    pub component: ComponentId,
    /// For each fault, that this is its suspect. Depends on the diagnosis only.
    pub selected: Vec<Literal>,
    /// What the component computes when it is not replaced.
    pub originals: Vec<Literal>,
}

impl Netlist {
    /// Lists every gate, next value and reset of the nodes that are the circuit itself, as
    /// opposed to logic that only properties read. Names are those of the design; `numbers`
    /// is what the format calls the nodes that have none.
    pub fn of_gates(design: Design, real: &NodeSet, numbers: BTreeMap<NodeId, u32>) -> Netlist {
        let mut netlist = Netlist {
            components: Vec::new(),
            sites: Vec::new(),
            design,
            numbers,
        };
        let output_names = output_names(&netlist.design);
        let gates: Vec<NodeId> = netlist.design.gates().collect();
        for id in gates.into_iter().filter(|id| real.contains(*id)) {
            let name = match output_names.get(&id) {
                Some(name) => name.clone(),
                None => netlist.describe("and", id),
            };
            netlist.push(ComponentKind::Gate, name, vec![Site::Gate(id)]);
        }
        for kind in [ComponentKind::LatchNext, ComponentKind::LatchReset] {
            let latches = netlist.design.latches().to_vec();
            for id in latches.into_iter().filter(|id| real.contains(*id)) {
                let name = netlist.describe("latch", id);
                let site = match kind {
                    ComponentKind::LatchNext => Site::Next(id),
                    _ => Site::Reset(id),
                };
                netlist.push(kind, name, vec![site]);
            }
        }
        netlist
    }

    /// A design whose front end knows its components: each with the gates that are its bits.
    pub fn with_components(design: Design, components: Vec<(Component, Vec<NodeId>)>) -> Netlist {
        let (components, gates): (Vec<_>, Vec<_>) = components.into_iter().unzip();
        let sites = gates
            .into_iter()
            .map(|gates| gates.into_iter().map(Site::Gate).collect())
            .collect();
        Netlist {
            design,
            numbers: BTreeMap::new(),
            components,
            sites,
        }
    }

    pub fn design(&self) -> &Design {
        &self.design
    }

    pub fn components(&self) -> &[Component] {
        &self.components
    }

    pub fn component_ids(&self) -> impl Iterator<Item = ComponentId> + use<> {
        (0..self.components.len() as u32).map(ComponentId)
    }

    /// The bits that a component determines; none if there is no such component.
    pub fn sites(&self, id: ComponentId) -> impl Iterator<Item = Site> + '_ {
        let sites = self.sites.get(id.0 as usize);
        sites.into_iter().flatten().copied()
    }

    /// Lists several gates as one more component that is replaced as a whole, such as the
    /// sum and the carry of an adder. The nodes are its bits, least significant first.
    pub fn add_group(
        &mut self,
        name: impl Into<String>,
        nodes: &[NodeId],
    ) -> Result<ComponentId, Diagnostic> {
        let name = name.into();
        let sites: Vec<Site> = nodes.iter().map(|id| Site::Gate(*id)).collect();
        for (index, site) in sites.iter().enumerate() {
            let listed = self.sites.iter().any(|known| known.as_slice() == [*site]);
            if !listed || sites[..index].contains(site) {
                let node = nodes[index];
                let message = format!(
                    "{node} cannot be a bit of the group `{name}`: it is no gate of the \
                     circuit itself, or stands there twice"
                );
                return Err(Diagnostic::error(codes::NOT_A_COMPONENT, message));
            }
        }
        if sites.is_empty() {
            let message = format!("the group `{name}` has no gates");
            return Err(Diagnostic::error(codes::NOT_A_COMPONENT, message));
        }
        Ok(self.push(ComponentKind::Gate, name, sites))
    }

    fn push(&mut self, kind: ComponentKind, name: String, sites: Vec<Site>) -> ComponentId {
        let id = ComponentId(self.components.len() as u32);
        let span = sites
            .iter()
            .filter_map(|site| self.design.span(site.node()))
            .reduce(|left, right| left.to(right));
        let scope: Vec<String> = name.split('.').map(str::to_string).collect();
        self.components.push(Component {
            kind,
            span,
            scope: scope[..scope.len() - 1].to_vec(),
            width: sites.len(),
            name,
        });
        self.sites.push(sites);
        id
    }

    /// How the user knows a node: by a symbol, or as `and8`, `latch6` or `input2` by its
    /// number in the file.
    pub fn signal_name(&self, id: NodeId) -> String {
        let kind = match self.design.node(id) {
            Node::Constant => return "0".to_string(),
            Node::Input(_) => "input",
            Node::Latch(_) => "latch",
            Node::And(..) => {
                let known = |component: &&[Site]| *component == [Site::Gate(id)];
                let position = self.sites.iter().position(|sites| known(&&sites[..]));
                match position {
                    Some(position) => return self.components[position].name.clone(),
                    None => "and",
                }
            }
        };
        self.describe(kind, id)
    }

    /// What a component computes in the source, one function for each bit.
    pub fn present_functions(&self, id: ComponentId) -> Result<Vec<Function>, Diagnostic> {
        let (_, sites) = self.component(id)?;
        let design = &self.design;
        let function = |site: &Site| match (site, design.node(site.node())) {
            (Site::Gate(_), Node::And(left, right)) => match (left, right) {
                (Literal::TRUE, other) | (other, Literal::TRUE) => Function::Signal(other),
                _ => Function::And(vec![Function::Signal(left), Function::Signal(right)]),
            },
            (Site::Next(_), Node::Latch(latch)) => match latch.next.as_constant() {
                Some(value) => Function::Constant(value),
                None => Function::Signal(latch.next),
            },
            (Site::Reset(_), Node::Latch(latch)) if latch.reset == Reset::One => {
                Function::Constant(true)
            }
            (Site::Reset(_), Node::Latch(latch)) if latch.reset == Reset::Zero => {
                Function::Constant(false)
            }
            (site, _) => Function::Signal(site.node().literal()),
        };
        Ok(sites.iter().map(function).collect())
    }

    /// The symbol of a node, or what kind it is and its number in the file.
    fn describe(&self, kind: &str, id: NodeId) -> String {
        match (self.design.name(id), self.numbers.get(&id)) {
            (Some(name), _) => name.to_string(),
            (None, Some(number)) => format!("{kind}{number}"),
            (None, None) => id.to_string(),
        }
    }

    pub(super) fn component(&self, id: ComponentId) -> Result<(&Component, &[Site]), Diagnostic> {
        let index = id.0 as usize;
        match (self.components.get(index), self.sites.get(index)) {
            (Some(component), Some(sites)) => Ok((component, sites)),
            _ => {
                let message = format!("there is no component {index} in this design");
                Err(Diagnostic::error(codes::UNKNOWN_COMPONENT, message))
            }
        }
    }

    /// The design with these components open, each with choices of its own.
    pub fn elaborate(&self, holes: &[ComponentId]) -> Result<Elaboration, Diagnostic> {
        let mut design = self.design.clone();
        let mut open = Vec::new();
        let mut opened: BTreeMap<Site, ComponentId> = BTreeMap::new();
        for id in holes {
            let (component, sites) = self.component(*id)?;
            let timing = component.kind.timing();
            let mut hole = OpenHole {
                component: *id,
                timing,
                choices: Vec::new(),
                originals: Vec::new(),
            };
            for (bit, site) in sites.iter().enumerate() {
                if let Some(other) = opened.insert(*site, *id) {
                    return Err(self.overlap(other, *id));
                }
                let (original, choice) = open_site(&mut design, *site);
                design.set_name(choice.node(), choice_name(timing, component, bit));
                hole.originals.push(original);
                hole.choices.push(choice);
            }
            open.push(hole);
        }
        Ok(Elaboration {
            design,
            holes: open,
        })
    }

    pub(super) fn overlap(&self, first: ComponentId, second: ComponentId) -> Diagnostic {
        let name = |id: ComponentId| match self.components.get(id.0 as usize) {
            Some(component) => format!("`{}`", component.name),
            None => format!("component {}", id.0),
        };
        let message = format!(
            "{} and {} replace the same signal",
            name(first),
            name(second)
        );
        Diagnostic::error(codes::OVERLAPPING_HOLES, message)
    }

    /// The design in which the system may replace up to `faults` of the suspects. Suspects
    /// may overlap: if two that share a signal are both chosen, the later fault decides.
    pub fn instrument(
        &self,
        suspects: &[ComponentId],
        faults: usize,
    ) -> Result<Diagnosable, Diagnostic> {
        let mut design = self.design.clone();
        let mut widths = [0, 0];
        let mut readers: BTreeMap<Site, Vec<(usize, usize)>> = BTreeMap::new();
        for (index, id) in suspects.iter().enumerate() {
            let (component, sites) = self.component(*id)?;
            let width = &mut widths[(component.kind.timing() == Timing::Rigid) as usize];
            *width = (*width).max(component.width);
            for (bit, site) in sites.iter().enumerate() {
                readers.entry(*site).or_default().push((index, bit));
            }
        }
        let mut result = Diagnosable {
            design: Design::new(),
            diagnosis: Vec::new(),
            dynamic_choices: Vec::new(),
            rigid_choices: Vec::new(),
            suspects: Vec::new(),
        };
        let number_width = suspects.len().next_power_of_two().trailing_zeros() as usize;
        for fault in 0..faults {
            let suffix = if faults == 1 {
                String::new()
            } else {
                fault.to_string()
            };
            let mut add = |timing: Timing, name: &str, width: usize| {
                add_choices(&mut design, timing, &format!("{name}{suffix}"), width)
            };
            let diagnosis = add(Timing::Rigid, "diagnosis", number_width);
            result.diagnosis.push(diagnosis);
            let choices = add(Timing::Dynamic, "choice", widths[0]);
            result.dynamic_choices.push(choices);
            result
                .rigid_choices
                .push(add(Timing::Rigid, "rigid", widths[1]));
        }
        for (index, id) in suspects.iter().enumerate() {
            let select = |diagnosis: &Vec<NodeId>| {
                let bits = diagnosis.iter().enumerate();
                let bits = bits.map(|(bit, id)| id.literal().complement_if(index >> bit & 1 == 0));
                design.and_all(bits)
            };
            result.suspects.push(Suspect {
                component: *id,
                selected: result.diagnosis.iter().map(select).collect(),
                originals: Vec::new(),
            });
        }
        let mut originals: BTreeMap<Site, Literal> = BTreeMap::new();
        for (site, readers) in &readers {
            let original = result.select(&mut design, *site, readers, faults);
            originals.insert(*site, original);
        }
        for suspect in &mut result.suspects {
            let (_, sites) = self.component(suspect.component)?;
            let known = sites.iter().filter_map(|site| originals.get(site));
            suspect.originals = known.copied().collect();
        }
        result.design = design;
        Ok(result)
    }
}

impl Diagnosable {
    /// Lets those suspects that are selected decide the value of a site; returns what it was.
    /// Each reader is a suspect with the bit of its choice.
    fn select(
        &self,
        design: &mut Design,
        site: Site,
        readers: &[(usize, usize)],
        faults: usize,
    ) -> Literal {
        let original = detach(design, site);
        let added_since = design.len();
        let mut value = original;
        for fault in 0..faults {
            let choices = match site {
                Site::Reset(_) => &self.rigid_choices[fault],
                Site::Gate(_) | Site::Next(_) => &self.dynamic_choices[fault],
            };
            for (suspect, bit) in readers {
                let selected = self.suspects[*suspect].selected[fault];
                value = design.mux(selected, choices[*bit].literal(), value);
            }
        }
        attach(design, site, value, added_since);
        original
    }
}

impl Site {
    pub(super) fn node(self) -> NodeId {
        match self {
            Site::Gate(id) | Site::Next(id) | Site::Reset(id) => id,
        }
    }
}

/// What a site computes, as a literal that keeps this meaning when the site is changed.
fn detach(design: &mut Design, site: Site) -> Literal {
    match (site, design.node(site.node())) {
        (Site::Gate(_), Node::And(left, right)) => design.add_gate(left, right).literal(),
        (Site::Next(_), Node::Latch(latch)) => latch.next,
        (Site::Reset(_), Node::Latch(latch)) => match latch.reset {
            Reset::Zero => Literal::FALSE,
            Reset::One => Literal::TRUE,
            Reset::Computed(literal) => literal,
            // The environment's initial value moves into a latch of its own that keeps it.
            reset @ (Reset::Free | Reset::Choice) => {
                let moved = design.add_latch(reset);
                if let Some(name) = design.name(site.node()) {
                    let name = format!("initial_{name}");
                    design.set_name(moved, name);
                }
                moved.literal()
            }
        },
        (site, _) => site.node().literal(),
    }
}

/// Makes a site compute a literal.
pub(super) fn attach(design: &mut Design, site: Site, value: Literal, added_since: usize) {
    match site {
        Site::Gate(id) => design.drive(id, value, added_since),
        Site::Next(id) => design.set_next(id, value),
        Site::Reset(id) => design.set_reset(
            id,
            match value.as_constant() {
                Some(false) => Reset::Zero,
                Some(true) => Reset::One,
                None => Reset::Computed(value),
            },
        ),
    }
}

/// Opens a site; returns what it computed and the choice that now stands for it.
fn open_site(design: &mut Design, site: Site) -> (Literal, Literal) {
    let original = detach(design, site);
    let choice = match site {
        Site::Gate(id) => {
            design.replace(id, Node::Input(InputKind::Choice));
            id.literal()
        }
        Site::Next(id) => {
            let choice = design.add_input(InputKind::Choice).literal();
            design.set_next(id, choice);
            choice
        }
        Site::Reset(id) => {
            let choice = design.add_latch(Reset::Choice).literal();
            design.set_reset(id, Reset::Computed(choice));
            choice
        }
    };
    (original, choice)
}

/// What the names of dynamic choices begin with.
pub const CHOICE: &str = "choice_";

fn choice_name(timing: Timing, component: &Component, bit: usize) -> String {
    let purpose = match timing {
        Timing::Dynamic => CHOICE,
        Timing::Rigid => "reset_",
    };
    let name = &component.name;
    if component.width == 1 {
        format!("{purpose}{name}")
    } else {
        format!("{purpose}{name}[{bit}]")
    }
}

fn add_choices(design: &mut Design, timing: Timing, name: &str, width: usize) -> Vec<NodeId> {
    let mut choices = Vec::new();
    for bit in 0..width {
        let id = match timing {
            Timing::Dynamic => design.add_input(InputKind::Choice),
            Timing::Rigid => design.add_latch(Reset::Choice),
        };
        design.set_name(id, format!("{name}[{bit}]"));
        choices.push(id);
    }
    choices
}

/// The gates that an output shows as they are, by the output's name.
fn output_names(design: &Design) -> BTreeMap<NodeId, String> {
    let mut names = BTreeMap::new();
    for output in design.outputs() {
        let shown = !output.literal.is_complemented();
        if let (true, Some(name)) = (shown, &output.name) {
            names.entry(output.literal.node()).or_insert(name.clone());
        }
    }
    names
}
