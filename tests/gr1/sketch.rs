//! Small random specifications as plain data, so that one can be shrunk and shown.

use respin::random::Random;
use respin::spec::gr1::{Comparison, Domain, Gr1, Kind, Player, Side, TermId, VariableId};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// How many values each variable has, and whose it is. Two values are a Boolean.
    pub variables: Vec<(Player, i64)>,
    pub constraints: Vec<(Side, Kind, Tree)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    Constant(bool),
    /// A variable has a value, now or in the next step.
    Is(usize, bool, i64),
    /// Two variables have the same value.
    Same((usize, bool), (usize, bool)),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Iff(Box<Tree>, Box<Tree>),
}

/// What may occur in a sketch.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Whether variables may have three values.
    pub words: bool,
    /// Whether assumptions may speak of the system's first and next values.
    pub assume_system: bool,
}

impl Sketch {
    pub fn random(random: &mut Random, shape: Shape) -> Sketch {
        let mut variables = Vec::new();
        for player in [Player::Environment, Player::System] {
            for _ in 0..random.below(if shape.words { 4 } else { 5 }) {
                let size = if shape.words && random.chance(30) {
                    3
                } else {
                    2
                };
                variables.push((player, size));
            }
        }
        if variables.is_empty() {
            variables.push((Player::System, 2));
        }
        let mut sketch = Sketch {
            variables,
            constraints: Vec::new(),
        };
        for _ in 0..1 + random.below(9) {
            let side = [Side::Assumption, Side::Guarantee][random.below(2)];
            let kinds = [Kind::Initial, Kind::Safety, Kind::Safety, Kind::Justice];
            let kind = kinds[random.below(kinds.len())];
            let depth = random.below(4);
            if let Some(tree) = sketch.tree(random, side, kind, shape, depth) {
                sketch.constraints.push((side, kind, tree));
            }
        }
        sketch
    }

    fn leaf(
        &self,
        random: &mut Random,
        side: Side,
        kind: Kind,
        shape: Shape,
    ) -> Option<(usize, bool)> {
        for _ in 0..20 {
            let index = random.below(self.variables.len());
            let primed = kind == Kind::Safety && random.chance(50);
            let of_system = self.variables[index].0 == Player::System;
            let allowed = match (side, kind) {
                (Side::Assumption, Kind::Initial) => !of_system || shape.assume_system,
                (Side::Assumption, Kind::Safety) => !of_system || !primed || shape.assume_system,
                _ => true,
            };
            if allowed {
                return Some((index, primed));
            }
        }
        None
    }

    fn tree(
        &self,
        random: &mut Random,
        side: Side,
        kind: Kind,
        shape: Shape,
        depth: usize,
    ) -> Option<Tree> {
        if depth == 0 {
            if random.chance(3) {
                return Some(Tree::Constant(random.chance(50)));
            }
            let (index, primed) = self.leaf(random, side, kind, shape)?;
            let size = self.variables[index].1;
            if random.chance(15) {
                let other = self.leaf(random, side, kind, shape)?;
                if self.variables[other.0].1 == size {
                    return Some(Tree::Same((index, primed), other));
                }
            }
            return Some(Tree::Is(index, primed, random.below(size as usize) as i64));
        }
        let operand = |random: &mut Random| {
            let depth = random.below(depth);
            self.tree(random, side, kind, shape, depth).map(Box::new)
        };
        let left = operand(random)?;
        Some(match random.below(5) {
            0 => Tree::Not(left),
            1 | 2 => Tree::Or(left, operand(random)?),
            3 => Tree::And(left, operand(random)?),
            _ => Tree::Iff(left, operand(random)?),
        })
    }

    pub fn build(&self) -> Gr1 {
        let mut spec = Gr1::default();
        for (index, (owner, size)) in self.variables.iter().enumerate() {
            let domain = match size {
                2 => Domain::Boolean,
                // Both kinds of words, and a first value that is not 0.
                _ if index % 2 == 0 => Domain::Range { first: 0, last: 2 },
                _ => {
                    let names = ["RED", "GREEN", "BLUE"].map(|name| spec.terms.symbol(name));
                    Domain::Enumeration(names.to_vec())
                }
            };
            spec.add_variable(name(*owner, index), *owner, domain, None);
        }
        for (side, kind, tree) in &self.constraints {
            let term = term(&mut spec, tree);
            spec.add_constraint(None, *side, *kind, term, None);
        }
        spec
    }

    /// Sketches that are a little smaller.
    pub fn smaller(&self) -> Vec<Sketch> {
        let mut found = Vec::new();
        for index in 0..self.constraints.len() {
            let mut sketch = self.clone();
            sketch.constraints.remove(index);
            found.push(sketch);
        }
        for (index, (_, _, tree)) in self.constraints.iter().enumerate() {
            for part in tree.smaller() {
                let mut sketch = self.clone();
                sketch.constraints[index].2 = part;
                found.push(sketch);
            }
        }
        let last = self.variables.len() - 1;
        if last > 0
            && !self
                .constraints
                .iter()
                .any(|(_, _, tree)| tree.mentions(last))
        {
            let mut sketch = self.clone();
            sketch.variables.pop();
            found.push(sketch);
        }
        found
    }
}

impl Tree {
    fn operands(&self) -> Vec<&Tree> {
        match self {
            Tree::Constant(_) | Tree::Is(..) | Tree::Same(..) => Vec::new(),
            Tree::Not(operand) => vec![operand],
            Tree::And(left, right) | Tree::Or(left, right) | Tree::Iff(left, right) => {
                vec![left, right]
            }
        }
    }

    fn smaller(&self) -> Vec<Tree> {
        let mut found: Vec<Tree> = self.operands().into_iter().cloned().collect();
        if !matches!(self, Tree::Constant(_)) {
            found.push(Tree::Constant(true));
            found.push(Tree::Constant(false));
        }
        for (index, operand) in self.operands().into_iter().enumerate() {
            for part in operand.smaller() {
                let mut tree = self.clone();
                match (&mut tree, index) {
                    (Tree::Not(place), _)
                    | (Tree::And(place, _) | Tree::Or(place, _) | Tree::Iff(place, _), 0)
                    | (Tree::And(_, place) | Tree::Or(_, place) | Tree::Iff(_, place), _) => {
                        **place = part;
                    }
                    _ => {}
                }
                found.push(tree);
            }
        }
        found
    }

    fn mentions(&self, variable: usize) -> bool {
        match self {
            Tree::Is(index, _, _) => *index == variable,
            Tree::Same(left, right) => left.0 == variable || right.0 == variable,
            _ => self
                .operands()
                .iter()
                .any(|operand| operand.mentions(variable)),
        }
    }
}

pub fn name(owner: Player, index: usize) -> String {
    match owner {
        Player::Environment => format!("e{index}"),
        Player::System => format!("s{index}"),
    }
}

fn variable(spec: &mut Gr1, index: usize, primed: bool) -> TermId {
    let id = VariableId(index as u32);
    if primed {
        spec.terms.next(id)
    } else {
        spec.terms.now(id)
    }
}

fn term(spec: &mut Gr1, tree: &Tree) -> TermId {
    match tree {
        Tree::Constant(value) => spec.terms.boolean(*value),
        Tree::Is(index, primed, value) => {
            let left = variable(spec, *index, *primed);
            let right = match spec.variables[*index].domain.clone() {
                Domain::Boolean if *value == 1 => return left,
                Domain::Boolean => return spec.terms.not(left),
                Domain::Range { first, .. } => spec.terms.integer(first + value),
                Domain::Enumeration(names) => spec.terms.enumerator(names[*value as usize]),
            };
            spec.terms.compare(Comparison::Equal, left, right)
        }
        Tree::Same(left, right) => {
            let is_boolean = spec.variables[left.0].domain == Domain::Boolean;
            let kinds = [left.0, right.0].map(|index| index % 2);
            let left = variable(spec, left.0, left.1);
            let right = variable(spec, right.0, right.1);
            match is_boolean {
                true => spec.terms.iff(left, right),
                // A range and an enumeration cannot be compared.
                false if kinds[0] != kinds[1] => spec.terms.boolean(true),
                false => spec.terms.compare(Comparison::Equal, left, right),
            }
        }
        Tree::Not(operand) => {
            let operand = term(spec, operand);
            spec.terms.not(operand)
        }
        Tree::And(left, right) => {
            let operands = [term(spec, left), term(spec, right)];
            spec.terms.and(operands)
        }
        Tree::Or(left, right) => {
            let operands = [term(spec, left), term(spec, right)];
            spec.terms.or(operands)
        }
        Tree::Iff(left, right) => {
            let (left, right) = (term(spec, left), term(spec, right));
            spec.terms.iff(left, right)
        }
    }
}

/// The specification in the Spectra language.
impl fmt::Display for Sketch {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spec = self.build();
        for variable in &spec.variables {
            let owner = match variable.owner {
                Player::Environment => "env",
                Player::System => "sys",
            };
            let domain = spec.domain_text(&variable.domain);
            writeln!(output, "{owner} {domain} {};", variable.name)?;
        }
        for constraint in &spec.constraints {
            let side = match constraint.side {
                Side::Assumption => "asm",
                Side::Guarantee => "gar",
            };
            let kind = match constraint.kind {
                Kind::Initial => "ini",
                Kind::Safety => "alw",
                Kind::Justice => "alwEv",
            };
            writeln!(output, "{side} {kind} {};", spec.term_text(constraint.term))?;
        }
        Ok(())
    }
}
