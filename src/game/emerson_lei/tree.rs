//! The Zielonka tree of a Boolean combination of colours \[Zie98\], \[hausmann24\].
//!
//! A node stands for a set of colours. It is good if a run that sees exactly these again and
//! again satisfies the condition, and its children are the largest subsets of which the
//! opposite is true. The general definition looks at all subsets; ours follows the formula,
//! which it may because each colour occurs in it once: subsets that satisfy, or violate, one
//! operand can be put together with any of another.

use super::condition::Colours;

/// More nodes than this are not worth a fixpoint, unless there is nothing else to try.
pub const MOST_NODES: usize = 12_000;

/// A set of colours; there are at most [`MOST_COLOURS`].
pub type ColourSet = u128;
pub const MOST_COLOURS: usize = 128;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    pub colours: ColourSet,
    /// Whether seeing exactly these colours again and again is what the player wants.
    pub is_good: bool,
    pub children: Vec<Tree>,
}

impl Tree {
    /// The tree of a condition, or of its negation; `None` if it has too many nodes.
    pub fn new(condition: &Colours, negated: bool) -> Option<Tree> {
        Tree::within(condition, negated, MOST_NODES)
    }

    /// Nothing if there would be more nodes than `most`.
    pub fn within(condition: &Colours, negated: bool, most: usize) -> Option<Tree> {
        let count = condition.literals().len();
        if count > MOST_COLOURS {
            return None;
        }
        let numbered = Numbered::new(condition, &mut 0);
        let all = if count == MOST_COLOURS {
            ColourSet::MAX
        } else {
            (1 << count) - 1
        };
        let mut budget = most;
        build(&numbered, all, negated, &mut budget)
    }

    pub fn leaves(&self) -> usize {
        if self.children.is_empty() {
            1
        } else {
            self.children.iter().map(Tree::leaves).sum()
        }
    }

    pub fn depth(&self) -> usize {
        1 + self.children.iter().map(Tree::depth).max().unwrap_or(0)
    }
}

fn build(
    condition: &Numbered,
    colours: ColourSet,
    negated: bool,
    budget: &mut usize,
) -> Option<Tree> {
    *budget = budget.checked_sub(1)?;
    let holds = condition.holds(colours);
    let mut children = Vec::new();
    for set in condition.largest(colours, !holds, *budget)? {
        children.push(build(condition, set, negated, budget)?);
    }
    Some(Tree {
        colours,
        is_good: holds != negated,
        children,
    })
}

/// A condition with the numbers of its colours.
enum Numbered {
    Constant(bool),
    Seen(ColourSet),
    Unseen(ColourSet),
    Join {
        is_and: bool,
        /// Each with its colours.
        parts: Vec<(ColourSet, Numbered)>,
    },
}

impl Numbered {
    fn new(condition: &Colours, next: &mut usize) -> Numbered {
        let number = |next: &mut usize| {
            *next += 1;
            1 << (*next - 1)
        };
        match condition {
            Colours::Constant(value) => Numbered::Constant(*value),
            Colours::Seen(_) => Numbered::Seen(number(next)),
            Colours::Unseen(_) => Numbered::Unseen(number(next)),
            Colours::And(parts) | Colours::Or(parts) => Numbered::Join {
                is_and: matches!(condition, Colours::And(_)),
                parts: parts
                    .iter()
                    .map(|part| {
                        let part = Numbered::new(part, next);
                        (part.colours(), part)
                    })
                    .collect(),
            },
        }
    }

    fn colours(&self) -> ColourSet {
        match self {
            Numbered::Constant(_) => 0,
            Numbered::Seen(colour) | Numbered::Unseen(colour) => *colour,
            Numbered::Join { parts, .. } => parts.iter().fold(0, |all, (own, _)| all | own),
        }
    }

    fn holds(&self, seen: ColourSet) -> bool {
        match self {
            Numbered::Constant(value) => *value,
            Numbered::Seen(colour) => seen & colour != 0,
            Numbered::Unseen(colour) => seen & colour == 0,
            Numbered::Join { is_and, parts } => {
                if *is_and {
                    parts.iter().all(|(_, part)| part.holds(seen))
                } else {
                    parts.iter().any(|(_, part)| part.holds(seen))
                }
            }
        }
    }

    /// The largest subsets of `within` for which the condition has this value; all have the
    /// colours of `within` that do not occur in the condition. `None` if they are many.
    fn largest(&self, within: ColourSet, value: bool, limit: usize) -> Option<Vec<ColourSet>> {
        if self.holds(within) == value {
            return Some(vec![within]);
        }
        match self {
            Numbered::Constant(_) => Some(Vec::new()),
            Numbered::Seen(colour) if !value => Some(vec![within & !colour]),
            Numbered::Unseen(colour) if value => Some(vec![within & !colour]),
            Numbered::Seen(_) | Numbered::Unseen(_) => Some(Vec::new()),
            Numbered::Join { is_and, parts } if *is_and != value => {
                // One operand is enough, and the others keep all of theirs.
                let mut found: Vec<ColourSet> = Vec::new();
                for (_, part) in parts {
                    found.extend(part.largest(within, value, limit)?);
                    if found.len() > limit {
                        return None;
                    }
                }
                Some(maximal(found))
            }
            Numbered::Join { parts, .. } => {
                let mut found = vec![within];
                for (own, part) in parts {
                    let choices = part.largest(within, value, limit)?;
                    let mut next = Vec::new();
                    for set in &found {
                        for choice in &choices {
                            next.push(set & (choice | !own));
                        }
                    }
                    if next.len() > limit {
                        return None;
                    }
                    found = next;
                }
                Some(maximal(found))
            }
        }
    }
}

fn maximal(mut sets: Vec<ColourSet>) -> Vec<ColourSet> {
    let mut seen = std::collections::HashSet::new();
    sets.retain(|set| seen.insert(*set));
    let all = sets.clone();
    sets.retain(|set| !all.iter().any(|other| other != set && set & !other == 0));
    sets
}
