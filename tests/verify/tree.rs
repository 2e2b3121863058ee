//! Formulas of the oracle: plain trees that share nothing with those under test.

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tree {
    Constant(bool),
    /// A signal of the circuit, by its number.
    Atom(usize),
    Not(Box<Tree>),
    And(Vec<Tree>),
    Or(Vec<Tree>),
    /// By the letter of the operator: X F G Y Z O H.
    Unary(char, Box<Tree>),
    /// U W R M S T
    Binary(char, Box<Tree>, Box<Tree>),
}

use Tree::{And, Atom, Binary, Constant, Not, Or, Unary};
use respin::random::Random;

pub fn is_past(letter: char) -> bool {
    "YZOHST".contains(letter)
}

/// What kinds of operators a random formula may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Operators {
    All,
    Past,
}

impl Tree {
    /// A formula of at most `size` operators and atoms. Past operators are over the past and
    /// the present only, unless `mixed`.
    pub fn random(
        random: &mut Random,
        size: usize,
        atoms: usize,
        operators: Operators,
        mixed: bool,
    ) -> Tree {
        let part = |random: &mut Random, size: usize, letter: char| {
            let inner = if is_past(letter) && !mixed {
                Operators::Past
            } else {
                operators
            };
            Tree::random(random, size, atoms, inner, mixed)
        };
        if size <= 1 {
            return match random.below(16) {
                0 => Constant(random.below(2) == 1),
                _ => Atom(random.below(atoms)),
            };
        }
        let unary = if operators == Operators::All {
            "XFGGFGYZOH"
        } else {
            "YZOH"
        };
        let binary = if operators == Operators::All {
            "UWRMST"
        } else {
            "ST"
        };
        let pick = |random: &mut Random, letters: &str| {
            let letters: Vec<char> = letters.chars().collect();
            letters[random.below(letters.len())]
        };
        match random.below(if size == 2 { 5 } else { 10 }) {
            0 | 1 => part(random, size - 1, '!').not(),
            2..=4 => {
                let letter = pick(random, unary);
                Unary(letter, Box::new(part(random, size - 1, letter)))
            }
            place => {
                let left = 1 + random.below(size - 2);
                let letter = if place < 8 { '&' } else { pick(random, binary) };
                let first = part(random, left, letter);
                let second = part(random, size - 1 - left, letter);
                match place {
                    5 => and(vec![first, second]),
                    6 => or(vec![first, second]),
                    7 => or(vec![first.not(), second]),
                    _ => Binary(letter, Box::new(first), Box::new(second)),
                }
            }
        }
    }

    pub fn not(self) -> Tree {
        match self {
            Constant(value) => Constant(!value),
            Not(inner) => *inner,
            other => Not(Box::new(other)),
        }
    }

    /// As a property file has it.
    pub fn text(&self, names: &[String]) -> String {
        let list = |operands: &[Tree], sign: &str| {
            let parts: Vec<String> = operands
                .iter()
                .map(|tree| format!("({})", tree.text(names)))
                .collect();
            parts.join(sign)
        };
        match self {
            Constant(value) => value.to_string(),
            Atom(atom) => names[*atom].clone(),
            Not(operand) => format!("!({})", operand.text(names)),
            And(operands) => list(operands, " && "),
            Or(operands) => list(operands, " || "),
            Unary(letter, operand) => format!("{letter} ({})", operand.text(names)),
            Binary(letter, left, right) => {
                format!("({}) {letter} ({})", left.text(names), right.text(names))
            }
        }
    }

    /// The same with negations at atoms only.
    pub fn normal(&self, positive: bool) -> Tree {
        let below = |tree: &Tree| Box::new(tree.normal(positive));
        let all = |trees: &[Tree]| trees.iter().map(|tree| tree.normal(positive)).collect();
        match self {
            Constant(value) => Constant(*value == positive),
            Atom(_) if positive => self.clone(),
            Atom(_) => Not(Box::new(self.clone())),
            Not(operand) => operand.normal(!positive),
            And(operands) if positive => And(all(operands)),
            Or(operands) if !positive => And(all(operands)),
            And(operands) | Or(operands) => Or(all(operands)),
            Unary(letter, operand) if positive => Unary(*letter, below(operand)),
            Binary(letter, left, right) if positive => Binary(*letter, below(left), below(right)),
            Unary(letter, operand) => {
                let dual = match letter {
                    'F' => 'G',
                    'G' => 'F',
                    'Y' => 'Z',
                    'Z' => 'Y',
                    'O' => 'H',
                    'H' => 'O',
                    other => *other,
                };
                Unary(dual, below(operand))
            }
            Binary(letter, left, right) => {
                let dual = match letter {
                    'U' => 'R',
                    'R' => 'U',
                    'W' => 'M',
                    'M' => 'W',
                    'S' => 'T',
                    _ => 'S',
                };
                Binary(dual, below(left), below(right))
            }
        }
    }

    pub fn children(&self) -> Vec<&Tree> {
        match self {
            Constant(_) | Atom(_) => vec![],
            Not(operand) | Unary(_, operand) => vec![operand],
            And(operands) | Or(operands) => operands.iter().collect(),
            Binary(_, left, right) => vec![left, right],
        }
    }

    /// Whether some operator below or here is one of these letters.
    pub fn uses(&self, letters: &str) -> bool {
        let own = match self {
            Unary(letter, _) | Binary(letter, ..) => letters.contains(*letter),
            _ => false,
        };
        own || self.children().into_iter().any(|child| child.uses(letters))
    }

    /// Whether a past operator has a future one below it.
    pub fn is_mixed(&self) -> bool {
        let own = match self {
            Unary(letter, _) | Binary(letter, ..) => is_past(*letter) && self.uses("XFGUWRM"),
            _ => false,
        };
        own || self.children().into_iter().any(Tree::is_mixed)
    }

    /// The conjuncts of a formula in normal form, also those under G and X.
    pub fn parts(&self) -> Vec<Tree> {
        match self {
            And(operands) => operands.iter().flat_map(Tree::parts).collect(),
            Unary(letter @ ('G' | 'X'), operand) => {
                let parts = operand.parts().into_iter();
                parts.map(|part| Unary(*letter, Box::new(part))).collect()
            }
            _ => vec![self.clone()],
        }
    }

    /// Whether a formula in normal form asks for nothing to happen in the end.
    pub fn is_safe(&self) -> bool {
        !self.uses("FUM")
    }

    /// Smaller formulas that may fail in the same way.
    pub fn smaller(&self) -> Vec<Tree> {
        let mut found: Vec<Tree> = self.children().into_iter().cloned().collect();
        if !matches!(self, Constant(_) | Atom(_)) {
            found.push(Constant(true));
            found.push(Constant(false));
        }
        match self {
            Not(operand) => found.extend(operand.smaller().into_iter().map(Tree::not)),
            Unary(letter, operand) => found.extend(
                operand
                    .smaller()
                    .into_iter()
                    .map(|operand| Unary(*letter, Box::new(operand))),
            ),
            And(operands) | Or(operands) => {
                for (place, operand) in operands.iter().enumerate() {
                    for other in operand.smaller() {
                        let mut operands = operands.clone();
                        operands[place] = other;
                        let is_and = matches!(self, And(_));
                        found.push(if is_and { and(operands) } else { or(operands) });
                    }
                }
            }
            Binary(letter, left, right) => {
                found.extend(
                    left.smaller()
                        .into_iter()
                        .map(|other| Binary(*letter, Box::new(other), right.clone())),
                );
                found.extend(
                    right
                        .smaller()
                        .into_iter()
                        .map(|other| Binary(*letter, left.clone(), Box::new(other))),
                );
            }
            Constant(_) | Atom(_) => {}
        }
        found
    }
}

/// A flat conjunction without repetitions, constants or contradictions, as the formulas under
/// test have: whether a formula is safe is a question of its syntax.
pub fn and(operands: Vec<Tree>) -> Tree {
    join(operands, true)
}

pub fn or(operands: Vec<Tree>) -> Tree {
    join(operands, false)
}

fn join(operands: Vec<Tree>, is_and: bool) -> Tree {
    let mut flat = Vec::new();
    for operand in operands {
        match operand {
            And(inner) if is_and => flat.extend(inner),
            Or(inner) if !is_and => flat.extend(inner),
            Constant(value) if value == is_and => {}
            other => flat.push(other),
        }
    }
    flat.sort();
    flat.dedup();
    let absorbed = flat.contains(&Constant(!is_and))
        || flat.iter().any(|tree| flat.contains(&tree.clone().not()));
    match flat.as_slice() {
        _ if absorbed => Constant(!is_and),
        [] => Constant(is_and),
        [only] => only.clone(),
        _ if is_and => And(flat),
        _ => Or(flat),
    }
}
