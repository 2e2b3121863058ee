//! What formulas mean on a small circuit, state by state.
//!
//! Infinite runs: a node is a state, an input, and the truth of every temporal subformula;
//! an edge respects what each says of its neighbours, as an equivalence. Finite runs: a
//! formula is rewritten step by step into what is left to show, and is violated when
//! nothing can be left.

use super::graph::{Graph, has_fair_cycle};
use super::tree::{Tree, is_past};
use Tree::{And, Atom, Binary, Constant, Not, Or, Unary};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// Whether an infinite run satisfies all of the formulas.
pub fn some_run_satisfies(graph: &Graph, formulas: &[Tree]) -> bool {
    let mut table = Table::default();
    let roots: Vec<usize> = formulas.iter().map(|tree| table.add(tree)).collect();
    let mut nodes: Vec<Node> = Vec::new();
    let mut numbers: HashMap<Node, usize> = HashMap::new();
    let mut edges: Vec<Vec<usize>> = Vec::new();
    let mut pending = Vec::new();
    let mut number = |node: Node, nodes: &mut Vec<Node>, pending: &mut Vec<usize>| {
        *numbers.entry(node.clone()).or_insert_with(|| {
            nodes.push(node);
            pending.push(nodes.len() - 1);
            nodes.len() - 1
        })
    };
    for &state in &graph.initial {
        for node in table.nodes(graph, state, None) {
            if roots.iter().all(|root| node.truth[*root]) {
                number(node, &mut nodes, &mut pending);
            }
        }
    }
    while let Some(index) = pending.pop() {
        let node = nodes[index].clone();
        let next = graph.next(node.state, node.input);
        let mut targets = Vec::new();
        for target in table.nodes(graph, next, Some(&node)) {
            if table.agrees(&node, &target) {
                targets.push(number(target, &mut nodes, &mut pending));
            }
        }
        if edges.len() <= index {
            edges.resize(index + 1, Vec::new());
        }
        edges[index] = targets;
    }
    edges.resize(nodes.len(), Vec::new());
    has_fair_cycle(&edges, &table.fairness(&nodes))
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    state: usize,
    input: usize,
    /// Of every subformula of the table.
    truth: Vec<bool>,
}

/// Subformulas, operands first.
#[derive(Default)]
struct Table {
    trees: Vec<Tree>,
    operands: Vec<Vec<usize>>,
}

impl Table {
    fn add(&mut self, tree: &Tree) -> usize {
        if let Some(place) = self.trees.iter().position(|other| other == tree) {
            return place;
        }
        let operands = tree
            .children()
            .into_iter()
            .map(|child| self.add(child))
            .collect();
        self.trees.push(tree.clone());
        self.operands.push(operands);
        self.trees.len() - 1
    }

    /// All nodes of a state that may follow another one, or start a run.
    fn nodes(&self, graph: &Graph, state: usize, before: Option<&Node>) -> Vec<Node> {
        let is_future = |tree: &Tree| match tree {
            Unary(letter, _) | Binary(letter, ..) => !is_past(*letter),
            _ => false,
        };
        let guessed: Vec<usize> = (0..self.trees.len())
            .filter(|place| is_future(&self.trees[*place]))
            .collect();
        let mut found = Vec::new();
        for input in 0..graph.inputs {
            for guess in 0..1usize << guessed.len() {
                let mut truth: Vec<bool> = Vec::new();
                for (place, tree) in self.trees.iter().enumerate() {
                    let operands = &self.operands[place];
                    let now = |operand: usize| truth[operands[operand]];
                    let earlier = |operand: usize| before.map(|node| node.truth[operands[operand]]);
                    let before_here = before.map(|node| node.truth[place]);
                    let value = match tree {
                        Constant(value) => *value,
                        Atom(atom) => graph.value(state, input, *atom),
                        Not(_) => !now(0),
                        And(all) => (0..all.len()).all(now),
                        Or(all) => (0..all.len()).any(now),
                        Unary('Y', _) => earlier(0) == Some(true),
                        Unary('Z', _) => earlier(0) != Some(false),
                        Unary('O', _) => now(0) || before_here == Some(true),
                        Unary('H', _) => now(0) && before_here != Some(false),
                        Binary('S', ..) => now(1) || now(0) && before_here == Some(true),
                        Binary('T', ..) => now(1) && (now(0) || before_here != Some(false)),
                        Unary(..) | Binary(..) => {
                            let bit = guessed.iter().position(|other| *other == place);
                            guess >> bit.expect("a future operator is guessed") & 1 == 1
                        }
                    };
                    truth.push(value);
                }
                found.push(Node {
                    state,
                    input,
                    truth,
                });
            }
        }
        found
    }

    /// Whether what a node says of the next step is so.
    fn agrees(&self, node: &Node, next: &Node) -> bool {
        self.trees.iter().enumerate().all(|(place, tree)| {
            let operands = &self.operands[place];
            let now = |operand: usize| node.truth[operands[operand]];
            let later = next.truth[place];
            let expected = match tree {
                Unary('X', _) => next.truth[operands[0]],
                Unary('F', _) => now(0) || later,
                Unary('G', _) => now(0) && later,
                Binary('U' | 'W', ..) => now(1) || now(0) && later,
                Binary('R' | 'M', ..) => now(1) && (now(0) || later),
                _ => return true,
            };
            expected == node.truth[place]
        })
    }

    /// What has to be so again and again, or some truth would be put off for ever.
    fn fairness(&self, nodes: &[Node]) -> Vec<Vec<bool>> {
        let mut conditions = Vec::new();
        for (place, tree) in self.trees.iter().enumerate() {
            let operands = &self.operands[place];
            let condition = |node: &Node| {
                let now = |operand: usize| node.truth[operands[operand]];
                let here = node.truth[place];
                match tree {
                    Unary('F', _) => !here || now(0),
                    Unary('G', _) => here || !now(0),
                    Binary('U', ..) => !here || now(1),
                    Binary('R', ..) => here || !now(1),
                    Binary('M', ..) => !here || now(0) && now(1),
                    Binary('W', ..) => here || !now(0) && !now(1),
                    _ => true,
                }
            };
            conditions.push(nodes.iter().map(condition).collect());
        }
        conditions
    }
}

/// What is left to show: one of these sets of formulas, each in the next step.
type Rest = BTreeSet<BTreeSet<Tree>>;

/// The length of a shortest run that keeps some safe formulas and violates another one, all
/// in normal form; `None` if there is none.
pub fn shortest_violation(graph: &Graph, kept: &[Tree], violated: &Tree) -> Option<usize> {
    let assumed: Rest = [kept.iter().cloned().collect()].into();
    let asserted: Rest = [[violated.clone()].into()].into();
    let mut past = Vec::new();
    for tree in kept.iter().chain([violated]) {
        collect_past(tree, &mut past);
    }
    let mut seen = HashSet::new();
    let mut pending = VecDeque::new();
    for &state in &graph.initial {
        pending.push_back((
            0,
            state,
            None::<Vec<(bool, bool)>>,
            assumed.clone(),
            asserted.clone(),
        ));
    }
    while let Some((length, state, memory, assumed, asserted)) = pending.pop_front() {
        if !seen.insert((state, memory.clone(), assumed.clone(), asserted.clone())) {
            continue;
        }
        for input in 0..graph.inputs {
            let letter = Letter::new(graph, state, input, &past, memory.as_deref());
            let assumed = letter.progress(&assumed);
            let asserted = letter.progress(&asserted);
            if assumed.is_empty() {
                continue;
            }
            if asserted.is_empty() {
                return Some(length + 1);
            }
            let next = graph.next(state, input);
            pending.push_back((length + 1, next, Some(letter.memory()), assumed, asserted));
        }
    }
    None
}

/// The past operators of a formula, operands first.
fn collect_past(tree: &Tree, found: &mut Vec<Tree>) {
    for child in tree.children() {
        collect_past(child, found);
    }
    let past = matches!(tree, Unary(letter, _) | Binary(letter, ..) if is_past(*letter));
    if past && !found.contains(tree) {
        found.push(tree.clone());
    }
}

/// One step, with the truth of all that is about the present and the past.
struct Letter<'a> {
    graph: &'a Graph,
    state: usize,
    input: usize,
    past: &'a [Tree],
    truth: Vec<bool>,
}

impl<'a> Letter<'a> {
    /// `memory` has for each past operator its truth one step ago, and that of its first
    /// operand.
    fn new(
        graph: &'a Graph,
        state: usize,
        input: usize,
        past: &'a [Tree],
        memory: Option<&[(bool, bool)]>,
    ) -> Letter<'a> {
        let mut letter = Letter {
            graph,
            state,
            input,
            past,
            truth: Vec::new(),
        };
        for (place, tree) in past.iter().enumerate() {
            let earlier = memory.map(|memory| memory[place]);
            let value = match tree {
                Unary('Y', _) => earlier.is_some_and(|(_, operand)| operand),
                Unary('Z', _) => earlier.is_none_or(|(_, operand)| operand),
                Unary('O', a) => letter.holds(a) || earlier.is_some_and(|(here, _)| here),
                Unary(_, a) => letter.holds(a) && earlier.is_none_or(|(here, _)| here),
                Binary('S', a, b) => {
                    letter.holds(b) || letter.holds(a) && earlier.is_some_and(|(here, _)| here)
                }
                Binary(_, a, b) => {
                    letter.holds(b) && (letter.holds(a) || earlier.is_none_or(|(here, _)| here))
                }
                _ => false,
            };
            letter.truth.push(value);
        }
        letter
    }

    fn memory(&self) -> Vec<(bool, bool)> {
        let operand = |tree: &Tree| self.holds(tree.children()[0]);
        self.past
            .iter()
            .zip(&self.truth)
            .map(|(tree, truth)| (*truth, operand(tree)))
            .collect()
    }

    /// The truth of a formula without future operators.
    fn holds(&self, tree: &Tree) -> bool {
        match tree {
            Constant(value) => *value,
            Atom(atom) => self.graph.value(self.state, self.input, *atom),
            Not(operand) => !self.holds(operand),
            And(operands) => operands.iter().all(|operand| self.holds(operand)),
            Or(operands) => operands.iter().any(|operand| self.holds(operand)),
            Unary(..) | Binary(..) => {
                let place = self.past.iter().position(|other| other == tree);
                self.truth[place.expect("a past operator is known")]
            }
        }
    }

    fn progress(&self, rest: &Rest) -> Rest {
        let mut result = Rest::new();
        for option in rest {
            let mut left: Rest = [BTreeSet::new()].into();
            for tree in option {
                left = both(&left, &self.after(tree));
            }
            result.extend(left);
        }
        minimal(result)
    }

    /// What is left of a formula in normal form after this step.
    fn after(&self, tree: &Tree) -> Rest {
        let again = || -> Rest { [[tree.clone()].into()].into() };
        match tree {
            Constant(_) | Atom(_) | Not(_) => truth(self.holds(tree)),
            And(operands) => operands
                .iter()
                .fold(truth(true), |left, tree| both(&left, &self.after(tree))),
            Or(operands) => operands
                .iter()
                .fold(truth(false), |left, tree| either(left, self.after(tree))),
            Unary('X', a) => [[(**a).clone()].into()].into(),
            Unary('F', a) => either(self.after(a), again()),
            Unary('G', a) => both(&self.after(a), &again()),
            Binary('U' | 'W', a, b) => either(self.after(b), both(&self.after(a), &again())),
            Binary('R' | 'M', a, b) => both(&self.after(b), &either(self.after(a), again())),
            Unary(..) | Binary(..) => truth(self.holds(tree)),
        }
    }
}

fn truth(value: bool) -> Rest {
    if value {
        [BTreeSet::new()].into()
    } else {
        Rest::new()
    }
}

fn either(mut left: Rest, right: Rest) -> Rest {
    left.extend(right);
    minimal(left)
}

fn both(left: &Rest, right: &Rest) -> Rest {
    let pairs = left.iter().flat_map(|l| right.iter().map(move |r| l | r));
    minimal(pairs.collect())
}

/// Without sets that demand more than another one does.
fn minimal(rest: Rest) -> Rest {
    let smaller = |set: &BTreeSet<Tree>| {
        rest.iter()
            .any(|other| other != set && other.is_subset(set))
    };
    rest.iter().filter(|set| !smaller(set)).cloned().collect()
}
