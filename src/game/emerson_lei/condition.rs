//! Winning conditions on the literals of a netlist.
//!
//! What is decided for good in some step (an invariant that broke, an event that happened)
//! needs no colour of its own: such a literal is constant from some step on, so
//! `G a & G F b` is `G F (b & a has held so far)`, and `F a | F G b` is `F G (b | a has
//! happened)`. After [`Condition::finish`] only recurrences are left beside one invariant and
//! one event at the top, and each colour occurs once, which the tree of `tree` relies on.

use crate::design::{Design, Literal, Reset};

/// A Boolean combination of what a run does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Holds in each step.
    Invariant(Settled),
    /// Holds in some step.
    Event(Settled),
    /// Constant from some step on, and true then.
    Limit(Literal),
    /// Holds again and again.
    Recurrence(Literal),
    /// From some step on it never holds.
    Absence(Literal),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

/// A literal that decides for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    pub literal: Literal,
    /// Whether the literal itself stays false, or true, once it has been.
    pub stays: bool,
}

impl Settled {
    fn negated(self) -> Settled {
        Settled {
            literal: !self.literal,
            stays: self.stays,
        }
    }
}

/// A condition in the form that games are solved in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objective {
    /// In a step with this the system has won.
    pub won: Literal,
    /// In a step without this, and without `won`, it has lost.
    pub invariant: Literal,
    /// What has to be seen in the long run otherwise.
    pub colours: Colours,
}

/// A Boolean combination of "this colour is seen again and again", each colour once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Colours {
    Constant(bool),
    Seen(Literal),
    Unseen(Literal),
    And(Vec<Colours>),
    Or(Vec<Colours>),
}

impl Condition {
    pub fn constant(value: bool) -> Condition {
        Condition::Limit(Literal::constant(value))
    }

    pub fn invariant(literal: Literal) -> Condition {
        Condition::Invariant(Settled {
            literal,
            stays: false,
        })
    }

    pub fn event(literal: Literal) -> Condition {
        Condition::Event(Settled {
            literal,
            stays: false,
        })
    }

    pub fn negated(self) -> Condition {
        let all = |parts: Vec<Condition>| parts.into_iter().map(Condition::negated).collect();
        match self {
            Condition::Invariant(settled) => Condition::Event(settled.negated()),
            Condition::Event(settled) => Condition::Invariant(settled.negated()),
            Condition::Limit(literal) => Condition::Limit(!literal),
            Condition::Recurrence(literal) => Condition::Absence(literal),
            Condition::Absence(literal) => Condition::Recurrence(literal),
            Condition::And(parts) => Condition::Or(all(parts)),
            Condition::Or(parts) => Condition::And(all(parts)),
        }
    }

    /// The exact game. What is at the top ends a play as soon as it is decided.
    pub fn finish(self, design: &mut Design) -> Objective {
        let mut invariants = Vec::new();
        let mut events = Vec::new();
        let mut rest = Vec::new();
        match join(design, vec![self], true) {
            Condition::And(parts) => {
                for part in parts {
                    match part {
                        Condition::Invariant(settled) => invariants.push(settled.literal),
                        other => rest.push(other),
                    }
                }
            }
            Condition::Or(parts) => {
                let mut others = Vec::new();
                for part in parts {
                    match part {
                        Condition::Event(settled) => events.push(settled.literal),
                        other => others.push(other),
                    }
                }
                rest.push(Condition::Or(others));
            }
            Condition::Invariant(settled) => invariants.push(settled.literal),
            Condition::Event(settled) => {
                events.push(settled.literal);
                rest.push(Condition::constant(false));
            }
            other => rest.push(other),
        }
        let colours = colours(design, Condition::And(rest));
        Objective {
            won: design.or_all(events),
            invariant: design.and_all(invariants),
            colours,
        }
    }

    /// A game that is harder for the system: where it may break an invariant if it makes an
    /// event happen instead, now the event has to come first.
    pub fn finish_strictly(self, design: &mut Design) -> Objective {
        let whole = join(design, vec![self], true);
        match whole {
            Condition::Or(parts) => {
                let (invariant, event, rest) = taken_apart(design, parts);
                let won = event.map_or(Literal::FALSE, |event| event.literal);
                let colours = colours(design, rest);
                Objective {
                    won,
                    invariant,
                    colours,
                }
            }
            Condition::And(parts) => {
                let mut invariants = Vec::new();
                let mut rest = Vec::new();
                for part in parts {
                    match part {
                        Condition::Or(parts) => {
                            let (invariant, event, own) = taken_apart(design, parts);
                            let happened = match event {
                                Some(event) => happened(design, event),
                                None => Literal::FALSE,
                            };
                            invariants.push(design.or(invariant, happened));
                            let event = Condition::Event(Settled {
                                literal: happened,
                                stays: true,
                            });
                            rest.push(join(design, vec![event, own], false));
                        }
                        Condition::Invariant(settled) => invariants.push(settled.literal),
                        other => rest.push(other),
                    }
                }
                let colours = colours(design, Condition::And(rest));
                Objective {
                    won: Literal::FALSE,
                    invariant: design.and_all(invariants),
                    colours,
                }
            }
            other => other.finish(design),
        }
    }
}

/// Of a disjunction: the invariants of those of its parts that are conjunctions, its event,
/// and what is left.
fn taken_apart(
    design: &mut Design,
    parts: Vec<Condition>,
) -> (Literal, Option<Settled>, Condition) {
    let mut event = None;
    let mut invariants = Vec::new();
    let mut rest = Vec::new();
    let conjunctions = parts
        .iter()
        .filter(|part| matches!(part, Condition::And(_) | Condition::Invariant(_)))
        .count();
    for part in parts {
        match part {
            Condition::Event(settled) => event = Some(settled),
            // Of several conjunctions any one would do, and which is not known.
            Condition::And(inner) if conjunctions == 1 => {
                let mut own = Vec::new();
                for part in inner {
                    match part {
                        Condition::Invariant(settled) => invariants.push(settled.literal),
                        other => own.push(other),
                    }
                }
                rest.push(Condition::And(own));
            }
            Condition::Invariant(settled) if conjunctions == 1 => {
                invariants.push(settled.literal);
                rest.push(Condition::constant(true));
            }
            other => rest.push(other),
        }
    }
    let invariant = design.and_all(invariants);
    (invariant, event, Condition::Or(rest))
}

/// Whether an invariant has held so far, this step included.
fn held(design: &mut Design, settled: Settled) -> Literal {
    if settled.stays || settled.literal.as_constant().is_some() {
        return settled.literal;
    }
    let latch = design.add_latch(Reset::One);
    let held = design.and(latch.literal(), settled.literal);
    design.set_next(latch, held);
    held
}

/// Whether an event has happened so far, this step included.
fn happened(design: &mut Design, settled: Settled) -> Literal {
    !held(design, settled.negated())
}

/// The value that an operand is constant at in the end, if it is.
fn limit(design: &mut Design, condition: &Condition) -> Option<Literal> {
    match condition {
        Condition::Invariant(settled) => Some(held(design, *settled)),
        Condition::Event(settled) => Some(happened(design, *settled)),
        Condition::Limit(literal) => Some(*literal),
        _ => None,
    }
}

/// A conjunction or disjunction, flat, with at most one invariant, one event, one limit, and
/// one of those that can be joined: absences of a conjunction, recurrences of a disjunction.
fn join(design: &mut Design, parts: Vec<Condition>, is_and: bool) -> Condition {
    let mut pending = parts;
    pending.reverse();
    let mut invariants = Vec::new();
    let mut events = Vec::new();
    let mut limits = Vec::new();
    let mut joined = Vec::new();
    let mut rest = Vec::new();
    while let Some(part) = pending.pop() {
        match part {
            Condition::And(parts) if is_and => pending.extend(parts.into_iter().rev()),
            Condition::Or(parts) if !is_and => pending.extend(parts.into_iter().rev()),
            Condition::And(parts) | Condition::Or(parts) => match join(design, parts, !is_and) {
                Condition::And(parts) if is_and => pending.extend(parts.into_iter().rev()),
                Condition::Or(parts) if !is_and => pending.extend(parts.into_iter().rev()),
                inner @ (Condition::And(_) | Condition::Or(_)) => rest.push(inner),
                inner => pending.push(inner),
            },
            Condition::Invariant(settled) => invariants.push(settled),
            Condition::Event(settled) => events.push(settled),
            Condition::Limit(literal) => match literal.as_constant() {
                Some(value) if value == is_and => {}
                Some(_) => return Condition::constant(!is_and),
                None => limits.push(literal),
            },
            Condition::Absence(literal) if is_and => joined.push(literal),
            Condition::Recurrence(literal) if !is_and => joined.push(literal),
            other => rest.push(other),
        }
    }
    let mut result = Vec::new();
    let constant = if is_and {
        Literal::TRUE
    } else {
        Literal::FALSE
    };
    for (settled, are_invariants) in [(invariants, true), (events, false)] {
        if settled.is_empty() {
            continue;
        }
        let settled = join_settled(design, settled, is_and, are_invariants);
        if settled.literal == !constant {
            return Condition::constant(!is_and);
        }
        if settled.literal != constant {
            result.push(if are_invariants {
                Condition::Invariant(settled)
            } else {
                Condition::Event(settled)
            });
        }
    }
    if !limits.is_empty() {
        let limit = if is_and {
            design.and_all(limits)
        } else {
            design.or_all(limits)
        };
        result.push(Condition::Limit(limit));
    }
    if !joined.is_empty() {
        let any = design.or_all(joined);
        result.push(if is_and {
            Condition::Absence(any)
        } else {
            Condition::Recurrence(any)
        });
    }
    result.extend(rest);
    of_parts(result, is_and)
}

/// A conjunction or disjunction; a single part is itself.
fn of_parts(mut parts: Vec<Condition>, is_and: bool) -> Condition {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, None) => Condition::constant(is_and),
        (_, Some(last)) => {
            parts.push(last);
            if is_and {
                Condition::And(parts)
            } else {
                Condition::Or(parts)
            }
        }
    }
}

/// Invariants of a conjunction, or events of a disjunction, are one by their literals alone;
/// otherwise each has to be remembered.
fn join_settled(
    design: &mut Design,
    settled: Vec<Settled>,
    is_and: bool,
    are_invariants: bool,
) -> Settled {
    if let [only] = settled.as_slice() {
        return *only;
    }
    let plain = is_and == are_invariants;
    let stays = !plain || settled.iter().all(|one| one.stays);
    let mut literals = Vec::new();
    for one in settled {
        literals.push(match (plain, are_invariants) {
            (true, _) => one.literal,
            (false, true) => held(design, one),
            (false, false) => happened(design, one),
        });
    }
    let literal = if is_and {
        design.and_all(literals)
    } else {
        design.or_all(literals)
    };
    Settled { literal, stays }
}

/// A condition with recurrences and absences only.
fn colours(design: &mut Design, condition: Condition) -> Colours {
    let colours = match join(design, vec![condition], true) {
        Condition::And(parts) => absorb(design, parts, true),
        Condition::Or(parts) => absorb(design, parts, false),
        other => absorb(design, vec![other], true),
    };
    if let Colours::And(parts) = &colours {
        let paired = pairs(design, parts.clone());
        if paired.literals().len() < colours.literals().len() {
            return paired;
        }
    }
    colours
}

/// Several implications `G F a -> G F g & G F h` as pairs, and one pair for all that have the
/// same goal: the tree has a branch for each order of them, so there should be few.
fn pairs(design: &mut Design, parts: Vec<Colours>) -> Colours {
    let mut found: Vec<(Literal, Literal)> = Vec::new();
    let mut rest = Vec::new();
    for part in parts {
        let Colours::Or(operands) = &part else {
            rest.push(part);
            continue;
        };
        let (assumed, goals) = match operands.as_slice() {
            [Colours::Unseen(assumed), Colours::Seen(goal)] => (*assumed, vec![*goal]),
            [Colours::Unseen(assumed), Colours::And(goals)]
                if goals.iter().all(|goal| matches!(goal, Colours::Seen(_))) =>
            {
                (*assumed, goals.iter().flat_map(Colours::literals).collect())
            }
            _ => {
                rest.push(part);
                continue;
            }
        };
        for goal in goals {
            match found.iter_mut().find(|(_, known)| *known == goal) {
                Some((known, _)) => *known = design.or(*known, assumed),
                None => found.push((assumed, goal)),
            }
        }
    }
    for (assumed, goal) in found {
        let anyway = rest.contains(&Colours::Seen(goal));
        if !anyway {
            rest.push(Colours::Or(vec![
                Colours::Unseen(assumed),
                Colours::Seen(goal),
            ]));
        }
    }
    Colours::joined(rest, true)
}

fn absorb(design: &mut Design, parts: Vec<Condition>, is_and: bool) -> Colours {
    let mut limits = Vec::new();
    let mut found = Vec::new();
    for part in parts {
        if let Some(literal) = limit(design, &part) {
            limits.push(literal);
            continue;
        }
        found.push(match part {
            Condition::Recurrence(literal) => Colours::Seen(literal),
            Condition::Absence(literal) => Colours::Unseen(literal),
            Condition::And(parts) => absorb(design, parts, true),
            Condition::Or(parts) => absorb(design, parts, false),
            _ => continue,
        });
    }
    let limit = if is_and {
        design.and_all(limits)
    } else {
        design.or_all(limits)
    };
    if limit == Literal::constant(!is_and) {
        return Colours::Constant(!is_and);
    }
    if limit != Literal::constant(is_and) {
        // The cheapest to change is a single colour.
        found.sort_by_key(|part| matches!(part, Colours::And(_) | Colours::Or(_)));
        if found.is_empty() {
            return Colours::Seen(limit);
        }
        let first = found.remove(0);
        found.insert(0, first.with_limit(design, limit, is_and));
    }
    Colours::joined(found, is_and)
}

impl Colours {
    fn joined(parts: Vec<Colours>, is_and: bool) -> Colours {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Colours::Constant(value) if value == is_and => {}
                Colours::Constant(value) => return Colours::Constant(value),
                Colours::And(parts) if is_and => flat.extend(parts),
                Colours::Or(parts) if !is_and => flat.extend(parts),
                other => flat.push(other),
            }
        }
        match (flat.len(), flat.pop()) {
            (_, None) => Colours::Constant(is_and),
            (1, Some(only)) => only,
            (_, Some(last)) => {
                flat.push(last);
                if is_and {
                    Colours::And(flat)
                } else {
                    Colours::Or(flat)
                }
            }
        }
    }

    /// The conjunction, or disjunction, with a literal that is constant in the end.
    fn with_limit(self, design: &mut Design, limit: Literal, is_and: bool) -> Colours {
        match self {
            Colours::Constant(value) if value == is_and => Colours::Seen(limit),
            Colours::Constant(value) => Colours::Constant(value),
            Colours::Seen(literal) if is_and => Colours::Seen(design.and(literal, limit)),
            Colours::Seen(literal) => Colours::Seen(design.or(literal, limit)),
            Colours::Unseen(literal) if is_and => Colours::Unseen(design.or(literal, !limit)),
            Colours::Unseen(literal) => Colours::Unseen(design.and(literal, !limit)),
            Colours::And(mut parts) | Colours::Or(mut parts) if parts.is_empty() => {
                parts.push(Colours::Seen(limit));
                Colours::joined(parts, is_and)
            }
            // One of the operands of the same operator is enough; else all of them.
            Colours::And(mut parts) if is_and => {
                let first = parts.remove(0);
                parts.insert(0, first.with_limit(design, limit, is_and));
                Colours::And(parts)
            }
            Colours::Or(mut parts) if !is_and => {
                let first = parts.remove(0);
                parts.insert(0, first.with_limit(design, limit, is_and));
                Colours::Or(parts)
            }
            Colours::And(parts) | Colours::Or(parts) => {
                let parts = parts.into_iter();
                let parts = parts.map(|part| part.with_limit(design, limit, is_and));
                let parts = parts.collect();
                Colours::joined(parts, !is_and)
            }
        }
    }

    /// The literals of all colours, in order; the first one is colour 0.
    pub fn literals(&self) -> Vec<Literal> {
        match self {
            Colours::Constant(_) => Vec::new(),
            Colours::Seen(literal) | Colours::Unseen(literal) => vec![*literal],
            Colours::And(parts) | Colours::Or(parts) => {
                parts.iter().flat_map(Colours::literals).collect()
            }
        }
    }
}
