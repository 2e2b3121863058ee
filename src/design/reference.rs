//! A design beside a reference that it has to be equal to.
//!
//! The reference is a second design on the same inputs. It is copied into the design as nodes
//! that no correction may read, once into each version of it: as it was read, with its
//! components, and after a patch. That outputs are equal is a property of the design like any
//! other, so whatever can be done with properties can be done with a reference. Registers
//! without an initial value start alike in both if they have the same name.

use super::component::ComponentId;
use super::correction::{Correction, Patch};
use super::front_end::{FrontEnd, Reading, Trials};
use super::holes::Netlist;
use super::literal::{Literal, NodeId};
use super::netlist::{Design, InputKind, Reset, Word};
use super::reserved::{CONDITION_PREFIX, is_reserved};
use super::verilog::edits::SourceEdit;
use super::verilog::edits::sketch::Sketch;
use crate::expr::{Expr, ExprKind, PropertyBody, PropertyItem, Role};
use crate::source::codes::trace as codes;
use crate::source::{Diagnostic, FileId, Span};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The name of the property that outputs are equal.
pub const EQUAL: &str = "equal_to_reference";

/// What the names of registers and inputs begin with that only the reference has.
pub const REFERENCE_PREFIX: &str = "reference$";

/// What a design has to be equal to.
pub struct Reference {
    pub design: Design,
    /// The input that its registers move with, if it has a name, and whether at its rising edge: a
    /// design whose registers do not move with it, which may be the fault, has it among its other
    /// inputs.
    pub clock: Option<(String, bool)>,
}

impl From<Reading> for Reference {
    fn from(reading: Reading) -> Reference {
        Reference {
            design: reading.design,
            clock: reading.clock,
        }
    }
}

/// A front end whose designs are compared with a reference.
pub struct ReferenceFrontEnd {
    inner: Rc<dyn FrontEnd>,
    reference: Reference,
    reading: Reading,
    netlist: Netlist,
}

impl ReferenceFrontEnd {
    /// Fails if the ports of the two differ.
    pub fn new(
        inner: Rc<dyn FrontEnd>,
        reference: Reference,
    ) -> Result<ReferenceFrontEnd, Diagnostic> {
        let reading = beside(inner.reading().clone(), &reference)?;
        let mut netlist = inner.netlist().clone();
        attach(&mut netlist.design, &reference)?;
        Ok(ReferenceFrontEnd {
            inner,
            reference,
            reading,
            netlist,
        })
    }
}

impl FrontEnd for ReferenceFrontEnd {
    fn reading(&self) -> &Reading {
        &self.reading
    }

    fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    fn files(&self) -> &[FileId] {
        self.inner.files()
    }

    fn render(&self, correction: &Correction) -> Result<Option<Patch>, Diagnostic> {
        self.inner.render(correction)
    }

    fn reread(&self, patch: &Patch) -> Result<Reading, Vec<Diagnostic>> {
        let reading = self.inner.reread(patch)?;
        beside(reading, &self.reference).map_err(|error| vec![error])
    }

    /// Recorded runs are about the design alone.
    fn without_reset(&self, patch: Option<&Patch>) -> Result<Reading, Vec<Diagnostic>> {
        self.inner.without_reset(patch)
    }

    fn reference(&self) -> Option<(Rc<dyn FrontEnd>, &Design)> {
        Some((self.inner.clone(), &self.reference.design))
    }

    fn edits(&self, depends_on: &[String]) -> Result<Vec<SourceEdit>, Vec<Diagnostic>> {
        self.inner.edits(depends_on)
    }

    fn sketches(&self) -> Vec<Sketch> {
        self.inner.sketches()
    }

    fn trials(&self) -> Option<Box<dyn Trials + '_>> {
        let inner = self.inner.trials()?;
        let reference = &self.reference;
        Some(Box::new(ReferenceTrials { inner, reference }))
    }

    fn trials_without_reset(&self) -> Option<Box<dyn Trials + '_>> {
        self.inner.trials_without_reset()
    }

    fn items(&self) -> Vec<Span> {
        self.inner.items()
    }

    fn is_source(&self) -> bool {
        self.inner.is_source()
    }

    fn modules(&self) -> Vec<(String, Span)> {
        self.inner.modules()
    }

    fn readable(
        &self,
        component: ComponentId,
        depends_on: &[String],
    ) -> Result<Option<Vec<NodeId>>, Vec<Diagnostic>> {
        self.inner.readable(component, depends_on)
    }
}

/// Edited designs beside the reference.
struct ReferenceTrials<'a> {
    inner: Box<dyn Trials + 'a>,
    reference: &'a Reference,
}

impl Trials for ReferenceTrials<'_> {
    fn design(&mut self, edits: &[SourceEdit]) -> Option<Design> {
        let mut design = self.inner.design(edits)?;
        attach(&mut design, self.reference).ok()?;
        Some(design)
    }

    fn sketched(&mut self, edits: &[SourceEdit], places: &[Sketch]) -> Option<Design> {
        let mut design = self.inner.sketched(edits, places)?;
        attach(&mut design, self.reference).ok()?;
        Some(design)
    }
}

/// A design with its reference, and the property that the two are equal.
fn beside(mut reading: Reading, reference: &Reference) -> Result<Reading, Diagnostic> {
    same_edge(&reading, reference)?;
    let word = attach(&mut reading.design, reference)?;
    reading.properties.push(PropertyItem {
        role: Role::Assert,
        name: Some(EQUAL.to_string()),
        span: None,
        body: PropertyBody::Invariant(Expr {
            kind: ExprKind::Name(vec![word]),
            span: None,
        }),
    });
    Ok(reading)
}

/// Fails if the two move at different edges of one clock: a step of each is from one edge to the
/// next, so their outputs would be compared half a period apart.
fn same_edge(reading: &Reading, reference: &Reference) -> Result<(), Diagnostic> {
    let (Some((own, own_rises)), Some((name, rises))) = (&reading.clock, &reference.clock) else {
        return Ok(());
    };
    if own != name || own_rises == rises {
        return Ok(());
    }
    let edge = |rises: bool| if rises { "rising" } else { "falling" };
    let message = format!(
        "registers of the design move at the {} edge of `{name}`, and those of the reference at \
         the {} one",
        edge(*own_rises),
        edge(*rises)
    );
    Err(Diagnostic::error(codes::NO_REFERENCE, message)
        .help("give both the same edge; outputs are compared from one edge to the next"))
}

/// Copies a reference into a design, and names the word that says whether outputs are equal.
fn attach(design: &mut Design, reference: &Reference) -> Result<String, Diagnostic> {
    let Reference {
        design: reference,
        clock,
    } = reference;
    let first = design.len();
    let inputs = by_name(design, design.inputs());
    let latches = by_name(design, design.latches());
    let mut copies: HashMap<NodeId, Literal> = HashMap::new();
    copies.insert(NodeId::CONSTANT, Literal::FALSE);
    for id in reference.inputs() {
        let name = reference.name(*id).unwrap_or_default();
        let copy = match inputs.get(name) {
            // Each unknown bit is one of its own.
            Some(own) if !name.starts_with("unknown$") => own.literal(),
            // What nothing drives is an input as well, and no port.
            _ if name.contains('$') || reference.is_undriven(*id) => {
                let input = design.add_input(InputKind::Environment);
                design.set_name(input, format!("{REFERENCE_PREFIX}{name}"));
                input.literal()
            }
            _ => return Err(no_input(name, "the design")),
        };
        copies.insert(*id, copy);
    }
    let own: Vec<String> = inputs.keys().cloned().collect();
    let known = by_name(reference, reference.inputs());
    let lacking = |name: &&String| {
        let is_port = !name.contains('$') && !design.is_undriven(inputs[*name]);
        is_port && !known.contains_key(*name) && Some(*name) != clock.as_ref().map(|(name, _)| name)
    };
    if let Some(name) = own.iter().find(lacking) {
        return Err(no_input(name, "the reference"));
    }
    for id in reference.latches() {
        let Some(latch) = reference.latch(*id) else {
            continue;
        };
        let name = reference.name(*id).unwrap_or_default();
        let reset = match latch.reset {
            Reset::Free => shared_start(design, &latches, name),
            reset @ (Reset::Zero | Reset::One) => reset,
            Reset::Choice | Reset::Computed(_) => {
                let message = "the reference has initial values that are computed";
                return Err(Diagnostic::error(codes::NO_REFERENCE, message)
                    .help("give a reference without open choices"));
            }
        };
        let copy = design.add_latch(reset);
        design.set_name(copy, format!("{REFERENCE_PREFIX}{name}"));
        copies.insert(*id, copy.literal());
    }
    let copy = |copies: &HashMap<NodeId, Literal>, literal: Literal| {
        let copy = copies
            .get(&literal.node())
            .copied()
            .unwrap_or(Literal::FALSE);
        copy.complement_if(literal.is_complemented())
    };
    let order = reference
        .topological_order()
        .map_err(|found| found.diagnostic(reference, |id| reference.describe(id)))?;
    for id in order {
        if let Some((left, right)) = reference.gate(id) {
            let gate = design.and(copy(&copies, left), copy(&copies, right));
            copies.insert(id, gate);
        }
    }
    for id in reference.latches() {
        if let (Some(latch), Some(own)) = (reference.latch(*id), copies.get(id)) {
            design.set_next(own.node(), copy(&copies, latch.next));
        }
    }
    let shown = outputs(reference);
    let shown = shown
        .into_iter()
        .map(|(name, bit)| (name, copy(&copies, bit)));
    let equal = equality(design, shown.collect())?;
    for index in first..design.len() {
        design.set_hidden(NodeId::from_index(index), true);
    }
    let name = format!("{CONDITION_PREFIX}reference");
    design.add_word(single(&name, equal));
    Ok(name)
}

/// What a register of the reference starts with that has no initial value: what the register
/// of the same name does, if that has none either.
fn shared_start(design: &Design, latches: &HashMap<String, NodeId>, name: &str) -> Reset {
    let twin = latches
        .get(name)
        .or_else(|| latches.get(&format!("{name}$stored")));
    let plain = name
        .strip_suffix("$stored")
        .and_then(|plain| latches.get(plain));
    let twin = twin.or(plain).copied();
    let is_free = |id: &NodeId| {
        design
            .latch(*id)
            .is_some_and(|one| one.reset == Reset::Free)
    };
    match twin.filter(is_free) {
        Some(twin) => Reset::Computed(twin.literal()),
        None => Reset::Free,
    }
}

/// That all outputs are equal. What the reference shows gets names, for counterexamples.
fn equality(
    design: &mut Design,
    reference: BTreeMap<String, Literal>,
) -> Result<Literal, Diagnostic> {
    let own = outputs(design);
    let other = |name: &String| own.contains_key(name) != reference.contains_key(name);
    let mut names = own.keys().chain(reference.keys());
    if let Some(name) = names.find(|name| other(name)) {
        let lacks = if own.contains_key(name) {
            "the reference"
        } else {
            "the design"
        };
        let message = format!("{lacks} has no output `{name}`");
        return Err(Diagnostic::error(codes::NO_REFERENCE, message)
            .help("a design is compared with one that has the same ports"));
    }
    if own.is_empty() {
        let message = "the design has no outputs to compare";
        return Err(Diagnostic::error(codes::NO_REFERENCE, message)
            .help("only outputs are compared with a reference"));
    }
    let mut equal = Literal::TRUE;
    let mut words: BTreeMap<String, BTreeMap<i64, Literal>> = BTreeMap::new();
    for (name, bit) in own {
        let expected = reference.get(&name).copied().unwrap_or(Literal::FALSE);
        let differs = design.xor(bit, expected);
        equal = design.and(equal, !differs);
        let (base, index) = match name.split_once('[') {
            Some((base, index)) => (base, index.trim_end_matches(']').parse().ok()),
            None => (name.as_str(), Some(0)),
        };
        match index {
            Some(index) => {
                words
                    .entry(base.to_string())
                    .or_default()
                    .insert(index, expected);
            }
            None => design.add_word(single(&format!("reference.{name}"), expected)),
        }
    }
    for (name, bits) in words {
        let (Some(lowest), Some(highest)) = (bits.keys().next(), bits.keys().next_back()) else {
            continue;
        };
        design.add_word(Word {
            name: format!("reference.{name}"),
            signed: false,
            left: *highest,
            right: *lowest,
            bits: bits.values().copied().collect(),
        });
    }
    Ok(equal)
}

fn outputs(design: &Design) -> BTreeMap<String, Literal> {
    let named = design.outputs().iter().filter_map(|output| {
        let name = output.name.clone().filter(|name| !is_reserved(name))?;
        Some((name, output.literal))
    });
    named.collect()
}

fn by_name(design: &Design, nodes: &[NodeId]) -> HashMap<String, NodeId> {
    let named = nodes.iter();
    let named = named.filter_map(|id| Some((design.name(*id)?.to_string(), *id)));
    named.collect()
}

fn single(name: &str, bit: Literal) -> Word {
    Word {
        name: name.to_string(),
        signed: false,
        left: 0,
        right: 0,
        bits: vec![bit],
    }
}

fn no_input(name: &str, lacks: &str) -> Diagnostic {
    let message = match name {
        "" => "the reference has an input without a name".to_string(),
        name => format!("{lacks} has no input `{name}`"),
    };
    Diagnostic::error(codes::NO_REFERENCE, message)
        .help("a design is compared with one that has the same ports")
}
