//! Regular expressions as deterministic automata.
//!
//! Derivatives [Brz64]: what is left to be matched after one step is again a regular
//! expression, and up to the laws of `|` and `&` there are finitely many of them, which are
//! the states. Complement and intersection cost nothing extra. A step is an assignment to
//! the conditions, of which there may be many, so ours differs in that the derivative by
//! all steps at once is one decision diagram over the conditions, with expressions at its
//! leaves. States that match the same are then merged [Moo56].
//!
//! Invariant: expressions and diagrams are shared, so equal ones have equal numbers, and
//! conditions are tested in the order of their numbers.

use crate::stack;
use std::collections::HashMap;

/// More states are not meant.
const MOST_STATES: usize = 1_000;
/// Expressions and diagrams that may be made on the way.
const MOST_NODES: usize = 200_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expression(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Diagram(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Nothing,
    Empty,
    /// One step in which the condition of this number holds.
    Condition(usize),
    /// One step.
    Any,
    Sequence(Expression, Expression),
    /// At least two, sorted, none of them an alternative itself.
    Either(Vec<Expression>),
    Complement(Expression),
    Repeat(Expression, u32, Option<u32>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Branch {
    Leaf(usize),
    /// On the condition of this number: where to if it holds, and if not.
    Test(usize, Diagram, Diagram),
}

/// Limits were reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

type Made<T> = Result<T, TooLarge>;

#[derive(Default)]
pub struct Expressions {
    nodes: Vec<Node>,
    numbers: HashMap<Node, Expression>,
    /// Leaves are expressions.
    branches: Branches,
    derivatives: HashMap<Expression, Diagram>,
}

/// Shared decision diagrams.
#[derive(Clone, Default)]
pub struct Branches {
    branches: Vec<Branch>,
    numbers: HashMap<Branch, Diagram>,
}

/// Complete and deterministic, with as few states as possible; it starts in state 0.
#[derive(Clone)]
pub struct Automaton {
    pub accepting: Vec<bool>,
    /// From each state, with states at the leaves.
    pub steps: Vec<Diagram>,
    pub branches: Branches,
}

impl Branches {
    pub fn get(&self, diagram: Diagram) -> Branch {
        self.branches[diagram.0 as usize]
    }

    fn make(&mut self, branch: Branch) -> Diagram {
        if let Branch::Test(_, then, otherwise) = branch
            && then == otherwise
        {
            return then;
        }
        if let Some(&known) = self.numbers.get(&branch) {
            return known;
        }
        let diagram = Diagram(self.branches.len() as u32);
        self.branches.push(branch);
        self.numbers.insert(branch, diagram);
        diagram
    }

    /// The leaves below a diagram, each once.
    pub fn leaves(&self, diagram: Diagram) -> Vec<usize> {
        let (mut found, mut seen, mut pending) = (Vec::new(), vec![diagram], vec![diagram]);
        while let Some(diagram) = pending.pop() {
            match self.get(diagram) {
                Branch::Leaf(leaf) => found.push(leaf),
                Branch::Test(_, then, otherwise) => {
                    for next in [then, otherwise] {
                        if !seen.contains(&next) {
                            seen.push(next);
                            pending.push(next);
                        }
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// The same tests with other leaves, copied from another collection.
    fn copied(
        &mut self,
        from: &Branches,
        diagram: Diagram,
        leaf: &dyn Fn(usize) -> usize,
        done: &mut HashMap<Diagram, Diagram>,
    ) -> Diagram {
        if let Some(&known) = done.get(&diagram) {
            return known;
        }
        let made = match from.get(diagram) {
            Branch::Leaf(old) => self.make(Branch::Leaf(leaf(old))),
            Branch::Test(condition, then, otherwise) => {
                let then = self.copied(from, then, leaf, done);
                let otherwise = self.copied(from, otherwise, leaf, done);
                self.make(Branch::Test(condition, then, otherwise))
            }
        };
        done.insert(diagram, made);
        made
    }
}

impl Expressions {
    fn make(&mut self, node: Node) -> Expression {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let expression = Expression(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.numbers.insert(node, expression);
        expression
    }

    fn get(&self, expression: Expression) -> &Node {
        &self.nodes[expression.0 as usize]
    }

    pub fn nothing(&mut self) -> Expression {
        self.make(Node::Nothing)
    }

    pub fn empty(&mut self) -> Expression {
        self.make(Node::Empty)
    }

    pub fn any(&mut self) -> Expression {
        self.make(Node::Any)
    }

    pub fn condition(&mut self, number: usize) -> Expression {
        self.make(Node::Condition(number))
    }

    fn everything(&mut self) -> Expression {
        let nothing = self.nothing();
        self.make(Node::Complement(nothing))
    }

    pub fn sequence(&mut self, left: Expression, right: Expression) -> Expression {
        match (self.get(left).clone(), self.get(right)) {
            (Node::Nothing, _) | (_, Node::Empty) => left,
            (_, Node::Nothing) | (Node::Empty, _) => right,
            (Node::Sequence(first, rest), _) => {
                let rest = self.sequence(rest, right);
                self.make(Node::Sequence(first, rest))
            }
            _ => self.make(Node::Sequence(left, right)),
        }
    }

    pub fn either(&mut self, left: Expression, right: Expression) -> Expression {
        let (nothing, everything) = (self.nothing(), self.everything());
        let mut parts = Vec::new();
        for side in [left, right] {
            match self.get(side) {
                Node::Either(inner) => parts.extend(inner.iter().copied()),
                _ => parts.push(side),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        parts.retain(|part| *part != nothing);
        match parts.as_slice() {
            _ if parts.contains(&everything) => everything,
            [] => nothing,
            [only] => *only,
            _ => self.make(Node::Either(parts)),
        }
    }

    /// By the laws of De Morgan, so that alternatives are sorted in one place.
    pub fn both(&mut self, left: Expression, right: Expression) -> Expression {
        let (left, right) = (self.complement(left), self.complement(right));
        let either = self.either(left, right);
        self.complement(either)
    }

    pub fn complement(&mut self, body: Expression) -> Expression {
        match *self.get(body) {
            Node::Complement(inner) => inner,
            _ => self.make(Node::Complement(body)),
        }
    }

    /// The first number is not greater than the second.
    pub fn repeat(&mut self, body: Expression, least: u32, most: Option<u32>) -> Expression {
        match (self.get(body), least, most) {
            (_, _, Some(0)) | (Node::Empty, _, _) | (Node::Nothing, 0, _) => self.empty(),
            (Node::Nothing, _, _) | (_, 1, Some(1)) => body,
            _ => self.make(Node::Repeat(body, least, most)),
        }
    }

    fn matches_empty(&self, expression: Expression) -> bool {
        match self.get(expression) {
            Node::Nothing | Node::Condition(_) | Node::Any => false,
            Node::Empty => true,
            Node::Sequence(left, right) => self.matches_empty(*left) && self.matches_empty(*right),
            Node::Either(parts) => parts.iter().any(|part| self.matches_empty(*part)),
            Node::Complement(body) => !self.matches_empty(*body),
            Node::Repeat(body, least, _) => *least == 0 || self.matches_empty(*body),
        }
    }

    fn leaf(&mut self, expression: Expression) -> Diagram {
        self.branches.make(Branch::Leaf(expression.0 as usize))
    }

    /// What is left after one step, for all steps.
    fn derivative(&mut self, expression: Expression) -> Made<Diagram> {
        if let Some(&known) = self.derivatives.get(&expression) {
            return Ok(known);
        }
        if self.nodes.len() + self.branches.branches.len() > MOST_NODES {
            return Err(TooLarge);
        }
        let (nothing, empty) = (self.nothing(), self.empty());
        let made = match self.get(expression).clone() {
            Node::Nothing | Node::Empty => self.leaf(nothing),
            Node::Any => self.leaf(empty),
            Node::Condition(number) => {
                let (then, otherwise) = (self.leaf(empty), self.leaf(nothing));
                self.branches.make(Branch::Test(number, then, otherwise))
            }
            Node::Sequence(left, right) => {
                let here = self.derivative(left)?;
                let here = self.map(here, &mut |all, rest| all.sequence(rest, right))?;
                if self.matches_empty(left) {
                    let there = self.derivative(right)?;
                    self.join(here, there, &mut HashMap::new())?
                } else {
                    here
                }
            }
            Node::Either(parts) => {
                let mut joined = self.leaf(nothing);
                for part in parts {
                    let part = self.derivative(part)?;
                    joined = self.join(joined, part, &mut HashMap::new())?;
                }
                joined
            }
            Node::Complement(body) => {
                let body = self.derivative(body)?;
                self.map(body, &mut |all, rest| all.complement(rest))?
            }
            Node::Repeat(body, least, most) => {
                let fewer = most.map(|most| most - 1);
                let again = self.repeat(body, least.saturating_sub(1), fewer);
                let body = self.derivative(body)?;
                self.map(body, &mut |all, rest| all.sequence(rest, again))?
            }
        };
        self.derivatives.insert(expression, made);
        Ok(made)
    }

    fn map(
        &mut self,
        diagram: Diagram,
        change: &mut dyn FnMut(&mut Expressions, Expression) -> Expression,
    ) -> Made<Diagram> {
        if self.nodes.len() + self.branches.branches.len() > MOST_NODES {
            return Err(TooLarge);
        }
        match self.branches.get(diagram) {
            Branch::Leaf(leaf) => {
                let changed = change(self, Expression(leaf as u32));
                Ok(self.leaf(changed))
            }
            Branch::Test(condition, then, otherwise) => {
                let then = self.map(then, change)?;
                let otherwise = self.map(otherwise, change)?;
                Ok(self.branches.make(Branch::Test(condition, then, otherwise)))
            }
        }
    }

    /// Either of two, leaf by leaf.
    fn join(
        &mut self,
        left: Diagram,
        right: Diagram,
        done: &mut HashMap<(Diagram, Diagram), Diagram>,
    ) -> Made<Diagram> {
        if let Some(&known) = done.get(&(left, right)) {
            return Ok(known);
        }
        if self.nodes.len() + self.branches.branches.len() > MOST_NODES {
            return Err(TooLarge);
        }
        let (one, other) = (self.branches.get(left), self.branches.get(right));
        let made = match (one, other) {
            (Branch::Leaf(one), Branch::Leaf(other)) => {
                let either = self.either(Expression(one as u32), Expression(other as u32));
                self.leaf(either)
            }
            _ => {
                let number = |branch| match branch {
                    Branch::Leaf(_) => usize::MAX,
                    Branch::Test(condition, ..) => condition,
                };
                let first = number(one).min(number(other));
                let split = |diagram, branch| match branch {
                    Branch::Test(condition, then, otherwise) if condition == first => {
                        (then, otherwise)
                    }
                    _ => (diagram, diagram),
                };
                let (left, right) = (split(left, one), split(right, other));
                let then = self.join(left.0, right.0, done)?;
                let otherwise = self.join(left.1, right.1, done)?;
                self.branches.make(Branch::Test(first, then, otherwise))
            }
        };
        done.insert((left, right), made);
        Ok(made)
    }

    /// The smallest automaton of an expression.
    pub fn automaton(&mut self, start: Expression) -> Made<Automaton> {
        let mut states = vec![start];
        let mut numbers = HashMap::from([(start.0 as usize, 0)]);
        let mut steps = Vec::new();
        while steps.len() < states.len() {
            let step = stack::recurse(|| self.derivative(states[steps.len()]))?;
            steps.push(step);
            for leaf in self.branches.leaves(step) {
                numbers.entry(leaf).or_insert_with(|| {
                    states.push(Expression(leaf as u32));
                    states.len() - 1
                });
            }
            if states.len() > MOST_STATES {
                return Err(TooLarge);
            }
        }
        let mut branches = Branches::default();
        let mut done = HashMap::new();
        let leaf = |old: usize| numbers[&old];
        let steps = steps
            .into_iter()
            .map(|step| branches.copied(&self.branches, step, &leaf, &mut done))
            .collect();
        let accepting = states.iter().map(|state| self.matches_empty(*state));
        let automaton = Automaton {
            accepting: accepting.collect(),
            steps,
            branches,
        };
        Ok(automaton.merged())
    }
}

impl Automaton {
    /// States that match the same become one; the numbers are those of their first ones.
    fn merged(self) -> Automaton {
        let count = self.steps.len();
        let mut classes: Vec<usize> = self.accepting.iter().map(|one| usize::from(*one)).collect();
        loop {
            let mut branches = Branches::default();
            let mut done = HashMap::new();
            let mut found = HashMap::new();
            let mut refined = Vec::new();
            for state in 0..count {
                let leaf = |old: usize| classes[old];
                let step = branches.copied(&self.branches, self.steps[state], &leaf, &mut done);
                let next = found.len();
                refined.push(*found.entry((classes[state], step)).or_insert(next));
            }
            let is_stable = found.len() == classes.iter().max().map_or(0, |last| last + 1);
            if is_stable {
                return self.quotient(&refined, found.len());
            }
            classes = refined;
        }
    }

    fn quotient(&self, classes: &[usize], count: usize) -> Automaton {
        let mut branches = Branches::default();
        let mut done = HashMap::new();
        let (mut accepting, mut steps) = (Vec::new(), Vec::new());
        for class in 0..count {
            let first = classes.iter().position(|other| *other == class);
            let state = first.unwrap_or_default();
            let leaf = |old: usize| classes[old];
            accepting.push(self.accepting[state]);
            steps.push(branches.copied(&self.branches, self.steps[state], &leaf, &mut done));
        }
        Automaton {
            accepting,
            steps,
            branches,
        }
    }

    /// For each state, whether a match can still come.
    pub fn alive(&self) -> Vec<bool> {
        let mut alive = self.accepting.clone();
        loop {
            let mut changed = false;
            for state in 0..alive.len() {
                let mut leaves = self.branches.leaves(self.steps[state]).into_iter();
                if !alive[state] && leaves.any(|next| alive[next]) {
                    alive[state] = true;
                    changed = true;
                }
            }
            if !changed {
                return alive;
            }
        }
    }
}
