//! Proofs as texts that other programs check: an AIGER circuit, an SMT-LIB script, and
//! assertions to be pasted into the design.
//!
//! All say the same: clauses over latches hold in the initial states, each step keeps them, and
//! no bad step is possible where they hold. What decision diagrams have proved says so of gates
//! over latches, one choice for each node of a diagram. In AIGER this is a witness circuit [YFBH22]: the
//! circuit of the design with its inputs and latches first and in the same order, those that
//! remember what properties need after them, and one bad literal, which holds where a property
//! fails or a clause does. So it simulates the design, and its property is inductive. The
//! script has three questions, the answer to each of which has to be `unsat`. Where a proof is
//! an induction over several steps, the design remembers as many ([`History`]), so that the same
//! is true of one step.

use super::claim::StateSets;
use super::history::History;
use super::proof::Proof;
use super::wires::Wires;
use crate::design::{Design, Literal, Node, NodeId, NodeSet, Reach, Reset, aiger, reserved};
use crate::source::Diagnostic;
use crate::source::codes::certify as codes;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::rc::Rc;

/// How a certificate is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateForm {
    AsciiAiger,
    BinaryAiger,
    SmtLib,
    Assertions,
}

/// A proof that several properties hold, for one product.
pub struct Certificate {
    pub(super) proofs: Vec<Proof>,
    /// How many inputs and latches are those of the design.
    pub(super) inputs: usize,
    pub(super) latches: usize,
    /// The names of the properties.
    pub(super) names: Vec<String>,
}

impl Certificate {
    pub fn write(&self, form: CertificateForm) -> Result<Vec<u8>, Diagnostic> {
        let Some(first) = self.proofs.first() else {
            let message = "there is no property to certify";
            return Err(Diagnostic::error(codes::NO_CERTIFICATE, message));
        };
        let kept = match form {
            CertificateForm::Assertions => None,
            _ => self.kept(first),
        };
        let parts = match &kept {
            None => Parts::new(self, first.design(), first.constraint(), None),
            Some(kept) => {
                let both = Some((kept.now, kept.next));
                Parts::new(self, &kept.design, first.constraint(), both)
            }
        };
        match form {
            CertificateForm::AsciiAiger => Ok(parts.aiger().into_bytes()),
            CertificateForm::BinaryAiger => {
                let file = aiger::read(parts.aiger().as_bytes(), None)?;
                file.bytes(aiger::Form::Binary)
            }
            CertificateForm::SmtLib => Ok(parts.script().into_bytes()),
            CertificateForm::Assertions => Ok(parts.assertions()?.into_bytes()),
        }
    }

    /// The clauses over names of the design, as they are once the reset is over; `None` if one
    /// is about other state, or if the proof is one by sets of states.
    pub fn clauses(&self) -> Option<Vec<String>> {
        let first = self.proofs.first()?;
        if !self.distinct_states().is_empty() {
            return None;
        }
        let design = first.design();
        let parts = Parts::new(self, design, first.constraint(), None);
        let counts_resets = |literal: &Literal| {
            let name = design.name(literal.node());
            name.is_some_and(reserved::is_step_of_reset)
        };
        let mut clauses: Vec<Vec<Literal>> = Vec::new();
        for clause in &parts.clauses {
            let (steps, others): (Vec<Literal>, Vec<Literal>) =
                clause.iter().copied().partition(counts_resets);
            if steps.iter().all(|step| step.is_complemented()) {
                clauses.push(others);
            }
        }
        let clauses = clauses.iter();
        clauses
            .map(|clause| parts.clause_over_names(clause))
            .collect()
    }
}

impl Certificate {
    /// Over how many steps induction goes.
    fn depth(&self) -> usize {
        self.proofs.iter().map(Proof::depth).max().unwrap_or(0)
    }

    /// What is kept beside clauses, if the proofs need more than these.
    fn kept(&self, first: &Proof) -> Option<Kept> {
        let states = self.distinct_states();
        let mut kept = match self.depth() {
            0 if states.is_empty() => return None,
            0 => Kept {
                design: first.design().clone(),
                now: Literal::TRUE,
                next: Literal::TRUE,
            },
            depth => {
                let bad: Vec<Literal> = self.proofs.iter().map(Proof::bad).collect();
                let clauses = self.distinct_clauses();
                History::new(first.product(), &bad, &clauses, depth).into()
            }
        };
        let latches = first.design().latches();
        let now: Vec<Literal> = latches.iter().map(|id| id.literal()).collect();
        let next = |id: &NodeId| {
            let latch = first.design().latch(*id);
            latch.map_or(Literal::FALSE, |latch| latch.next)
        };
        let next: Vec<Literal> = latches.iter().map(next).collect();
        for states in states {
            for set in states.add_to(&mut kept.design, &now) {
                kept.now = kept.design.and(kept.now, set);
            }
            for set in states.add_to(&mut kept.design, &next) {
                kept.next = kept.design.and(kept.next, set);
            }
        }
        Some(kept)
    }

    fn distinct_states(&self) -> Vec<&StateSets> {
        let mut distinct: Vec<&Rc<StateSets>> = Vec::new();
        for states in self.proofs.iter().filter_map(Proof::states) {
            if !distinct.iter().any(|other| Rc::ptr_eq(other, states)) {
                distinct.push(states);
            }
        }
        distinct.into_iter().map(Rc::as_ref).collect()
    }

    fn distinct_clauses(&self) -> Vec<&[Literal]> {
        let mut seen = HashSet::new();
        let clauses = self.proofs.iter().flat_map(Proof::clauses);
        let clauses = clauses.map(Vec::as_slice);
        clauses.filter(|clause| seen.insert(*clause)).collect()
    }
}

/// Gates for what is kept beside clauses.
struct Kept {
    design: Design,
    now: Literal,
    /// The same of the next state.
    next: Literal,
}

impl From<History> for Kept {
    fn from(history: History) -> Kept {
        Kept {
            design: history.design,
            now: history.kept,
            next: history.kept_next,
        }
    }
}

/// What a certificate is made of.
struct Parts<'a> {
    design: &'a Design,
    constraint: Literal,
    bad: Vec<Literal>,
    clauses: Vec<&'a [Literal]>,
    states: Vec<&'a StateSets>,
    inputs: Vec<NodeId>,
    latches: Vec<NodeId>,
    /// The latches that the design itself has.
    own: usize,
    /// In the order of evaluation.
    gates: Vec<(NodeId, Literal, Literal)>,
    names: &'a [String],
    /// Over how many steps induction goes.
    depth: usize,
    /// What is kept beside the clauses, in the present and in the next state.
    kept: Option<(Literal, Literal)>,
}

impl<'a> Parts<'a> {
    fn new(
        certificate: &'a Certificate,
        design: &'a Design,
        constraint: Literal,
        kept: Option<(Literal, Literal)>,
    ) -> Parts<'a> {
        let proofs = &certificate.proofs;
        let bad: Vec<Literal> = proofs.iter().map(Proof::bad).collect();
        let clauses = certificate.distinct_clauses();
        let own = design.latches().iter().take(certificate.latches);
        let roots = clauses.iter().flat_map(|clause| clause.iter().copied());
        let roots = roots.chain(bad.iter().copied()).chain([constraint]);
        let roots = roots.chain(kept.into_iter().flat_map(|(now, next)| [now, next]));
        let roots = roots.chain(own.map(|id| id.literal()));
        let cone = design.cone(roots, Reach::Run);
        let chosen = |all: &[NodeId], own: usize, cone: &NodeSet| -> Vec<NodeId> {
            let all = all.iter().enumerate();
            let needed = all.filter(|(index, id)| *index < own || cone.contains(**id));
            needed.map(|(_, id)| *id).collect()
        };
        // A design that was checked has an order.
        let order = design.topological_order().unwrap_or_default();
        let gates = order.into_iter().filter_map(|id| match design.node(id) {
            Node::And(left, right) if cone.contains(id) => Some((id, left, right)),
            _ => None,
        });
        Parts {
            design,
            constraint,
            bad,
            clauses,
            states: certificate.distinct_states(),
            inputs: chosen(design.inputs(), certificate.inputs, &cone),
            latches: chosen(design.latches(), certificate.latches, &cone),
            own: certificate.latches,
            gates: gates.collect(),
            names: &certificate.names,
            depth: certificate.depth(),
            kept,
        }
    }

    fn next(&self, literal: Literal) -> Literal {
        let latch = self.design.latch(literal.node());
        let next = latch.map_or(Literal::FALSE, |latch| latch.next);
        next.complement_if(literal.is_complemented())
    }

    /// The witness circuit in ASCII.
    fn aiger(&self) -> String {
        let mut numbers: HashMap<NodeId, u32> = HashMap::new();
        numbers.insert(NodeId::CONSTANT, 0);
        let gates = self.gates.iter().map(|(id, ..)| id);
        let nodes = self.inputs.iter().chain(&self.latches).chain(gates);
        for (index, id) in nodes.enumerate() {
            numbers.insert(*id, 2 * (index as u32 + 1));
        }
        let mut last = 2 * (numbers.len() as u32 - 1);
        let code = |literal: Literal| {
            let number = numbers.get(&literal.node()).copied().unwrap_or(0);
            number + u32::from(literal.is_complemented())
        };
        let mut text = String::new();
        let mut added = String::new();
        let mut count = self.gates.len();
        let mut and = |left: u32, right: u32| {
            last += 2;
            count += 1;
            let _ = writeln!(added, "{last} {} {}", left.max(right), left.min(right));
            last
        };
        // Holds where no clause fails and no property does.
        let mut good = self.kept.map_or(1, |(kept, _)| code(kept));
        for clause in &self.clauses {
            let fails = clause.iter().fold(1, |fails, literal| {
                let holds = code(*literal);
                and(fails, holds ^ 1)
            });
            good = and(good, fails ^ 1);
        }
        for bad in &self.bad {
            good = and(good, code(*bad) ^ 1);
        }
        let constraints = u32::from(self.constraint != Literal::TRUE);
        let (inputs, latches) = (self.inputs.len(), self.latches.len());
        let most = last / 2;
        let _ = writeln!(
            text,
            "aag {most} {inputs} {latches} 0 {count} 1 {constraints}"
        );
        for id in &self.inputs {
            let _ = writeln!(text, "{}", code(id.literal()));
        }
        for id in &self.latches {
            let own = code(id.literal());
            let reset = match self.design.latch(*id).map(|latch| latch.reset) {
                Some(Reset::One) => 1,
                Some(Reset::Free | Reset::Choice) => own,
                Some(Reset::Computed(literal)) => code(literal),
                Some(Reset::Zero) | None => 0,
            };
            let _ = writeln!(text, "{own} {} {reset}", code(self.next(id.literal())));
        }
        let _ = writeln!(text, "{}", good ^ 1);
        if constraints == 1 {
            let _ = writeln!(text, "{}", code(self.constraint));
        }
        for (id, left, right) in &self.gates {
            let (left, right) = (code(*left), code(*right));
            let (own, high) = (code(id.literal()), left.max(right));
            let _ = writeln!(text, "{own} {high} {}", left.min(right));
        }
        text.push_str(&added);
        let _ = writeln!(text, "c\nwitness circuit for {}", self.names.join(", "));
        text
    }

    /// The script with three questions.
    fn script(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "; invariant for {}", self.names.join(", "));
        text.push_str("; the answer to each of the three questions has to be unsat\n");
        text.push_str("(set-logic QF_UF)\n");
        for id in self.inputs.iter().chain(&self.latches) {
            let name = self.design.name(*id).unwrap_or("");
            let _ = writeln!(text, "(declare-fun n{} () Bool) ; {name}", id.index());
        }
        for (id, left, right) in &self.gates {
            let (left, right) = (term(*left), term(*right));
            let id = id.index();
            let _ = writeln!(text, "(define-fun n{id} () Bool (and {left} {right}))");
        }
        let clauses = self.clauses.iter().map(|clause| {
            let literals = clause.iter().map(|literal| term(*literal));
            format!("(or false {})", literals.collect::<Vec<_>>().join(" "))
        });
        let next = self.clauses.iter().map(|clause| {
            let literals = clause.iter().map(|literal| term(self.next(*literal)));
            format!("(or false {})", literals.collect::<Vec<_>>().join(" "))
        });
        let clauses = clauses.chain(self.kept.iter().map(|(kept, _)| term(*kept)));
        let next = next.chain(self.kept.iter().map(|(_, next)| term(*next)));
        let all = |parts: Vec<String>| format!("(and true {})", parts.join("\n  "));
        let _ = writeln!(
            text,
            "(define-fun invariant () Bool {})\n(define-fun invariant-next () Bool {})",
            all(clauses.collect()),
            all(next.collect())
        );
        let bad: Vec<String> = self.bad.iter().map(|bad| term(*bad)).collect();
        let (bad, constraint) = (bad.join(" "), term(self.constraint));
        text.push_str("; 1. an initial state outside of the invariant\n(push 1)\n");
        for id in &self.latches {
            let own = term(id.literal());
            let _ = match self.design.latch(*id).map(|latch| latch.reset) {
                Some(Reset::One) => writeln!(text, "(assert {own})"),
                Some(Reset::Zero) => writeln!(text, "(assert (not {own}))"),
                Some(Reset::Computed(other)) => {
                    writeln!(text, "(assert (= {own} {}))", term(other))
                }
                Some(Reset::Free | Reset::Choice) | None => Ok(()),
            };
        }
        text.push_str("(assert (not invariant))\n(check-sat)\n(pop 1)\n");
        let _ = write!(
            text,
            "; 2. a step that leaves the invariant\n(push 1)\n(assert invariant)\n\
             (assert {constraint})\n(assert (not invariant-next))\n(check-sat)\n(pop 1)\n\
             ; 3. a step within the invariant that breaks a property\n(push 1)\n\
             (assert invariant)\n(assert {constraint})\n(assert (or false {bad}))\n\
             (check-sat)\n(pop 1)\n"
        );
        text
    }

    /// The clauses as assertions over names of the design.
    fn assertions(&self) -> Result<String, Diagnostic> {
        let mut text = String::new();
        let _ = writeln!(text, "// Invariant for {}.", self.names.join(", "));
        text.push_str("// Needs a default clocking, or the clock of the design in each line.\n");
        let nameless = || {
            let message = "the invariant is about state that the design has no name for";
            Diagnostic::error(codes::NO_CERTIFICATE, message)
                .note("properties that look at earlier steps need such state")
                .help("write it as `.aag`, `.aig` or `.smt2`")
        };
        let mut count = 0;
        let mut assert = |text: &mut String, condition: &str| {
            let _ = writeln!(text, "invariant_{count}: assert property ({condition});");
            count += 1;
        };
        for clause in &self.clauses {
            let clause = self.clause_over_names(clause).ok_or_else(nameless)?;
            assert(&mut text, &clause);
        }
        let latches = self.design.latches().iter();
        let names: Vec<Option<&str>> = latches.map(|id| self.name(*id)).collect();
        let mut wires = Wires::default();
        for states in &self.states {
            for set in &states.sets {
                let condition = wires.declare(states, &names, *set, &mut text);
                assert(&mut text, &condition.ok_or_else(nameless)?);
            }
        }
        if self.depth > 0 {
            let steps = self.depth;
            let _ = writeln!(
                text,
                "// With these, induction over {steps} steps proves it."
            );
        }
        Ok(text)
    }

    /// A clause as an expression; `None` if it is about state that the design has no name for.
    fn clause_over_names(&self, clause: &[Literal]) -> Option<String> {
        let mut literals = Vec::new();
        for literal in clause {
            let name = self.name(literal.node())?;
            literals.push(negated_if(literal.is_complemented(), name));
        }
        Some(literals.join(" || "))
    }

    /// The name of a latch; `None` if the user has none for it.
    fn name(&self, id: NodeId) -> Option<&str> {
        let is_own = self.latches.iter().take(self.own).any(|own| *own == id);
        let name = self.design.name(id).filter(|_| !self.design.is_hidden(id));
        name.filter(|_| is_own)
    }
}

pub(super) fn negated_if(is_negated: bool, name: &str) -> String {
    if is_negated {
        format!("!{name}")
    } else {
        name.to_owned()
    }
}

/// A literal as a term of the script.
fn term(literal: Literal) -> String {
    match literal.as_constant() {
        Some(constant) => constant.to_string(),
        None if literal.is_complemented() => format!("(not n{})", literal.node().index()),
        None => format!("n{}", literal.node().index()),
    }
}
