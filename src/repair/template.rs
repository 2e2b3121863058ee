//! All functions of a few signals at once: the truth table is a choice made before the
//! first step.
//!
//! The choice of a location is wired to a table over a few signals near it, and the entries
//! of the table are rigid choices. The system then has nothing to decide during a play, so
//! one fixpoint tells exactly which tables keep the properties, whatever these need to
//! remember and whatever the signals do not show. This is where the conjunction heuristic
//! of [`memoryless`](super::memoryless) may fail; its price is that the signals are given.

use super::function::{Catalogue, FEW, MOST_OPERATORS, cost};
use super::{GameOptions, RepairError};
use crate::bdd::{Bdd, Variable};
use crate::design::{Design, Function, Literal, NodeId, Reset};
use crate::game::Game;
use crate::spec::Spec;

/// More table entries than this are not tried.
const MOST_ENTRIES: usize = 16;

/// One function for each choice.
pub struct Found {
    pub functions: Vec<Function>,
    pub cost: usize,
}

/// Whether the tables of so many choices over so many signals are few enough.
pub fn is_small(choices: usize, signals: usize) -> bool {
    signals <= FEW && choices << signals <= MOST_ENTRIES
}

/// The cheapest functions of `signals` that, put in place of `choices`, keep the
/// properties: as many as are wanted, no two of which act alike. No signal may depend on a
/// choice; `order` is one of latches and inputs that may serve. An empty answer means that there are none, up to expressions that the
/// [`Catalogue`] does not list.
pub fn functions_over(
    design: &Design,
    choices: &[Literal],
    signals: &[Literal],
    spec: &Spec,
    options: &GameOptions,
    order: &[NodeId],
) -> Result<Vec<Found>, RepairError> {
    let (design, tables) = with_tables(design, choices, signals);
    let field = options.automaton.arena(design, spec)?;
    let arena = field.arena();
    let mut game = Game::in_order(arena, options.limits.clone(), order)?;
    let good = field.good_choices(&mut game)?;
    if good.is_zero() {
        return Ok(Vec::new());
    }
    let reached = match options.alternatives {
        1 => None,
        _ => game.reached_by(&game.guarantee().clone())?,
    };
    let mut points = Vec::new();
    for point in 0..1usize << signals.len() {
        let mut here = game.manager().one();
        for (bit, signal) in signals.iter().enumerate() {
            // A signal that no property depends on may have any value.
            if let Some(value) = game.function(arena, *signal)? {
                let is_set = point >> bit & 1 == 1;
                here = here.and(&if is_set { value } else { value.not() })?;
            }
        }
        points.push(here.and(game.assumption())?);
    }
    let mut search = Search {
        tables: tables
            .iter()
            .map(|entries| entries.iter().map(|id| game.variable(*id)).collect())
            .collect(),
        points,
        reached: reached.unwrap_or_else(|| game.care().clone()),
        catalogue: Catalogue::new(signals.len()),
        wanted: options.alternatives,
        found: Vec::new(),
    };
    for operators in 0..=MOST_OPERATORS * choices.len() {
        search.extend(&mut Vec::new(), &good, operators)?;
    }
    let functions = |tables: &Vec<u16>| -> Vec<Function> {
        let function = |table: &u16| search.catalogue.function(*table, signals);
        tables.iter().map(function).collect()
    };
    let found = search.found.iter().map(|(tables, _)| {
        let functions = functions(tables);
        let cost = functions.iter().map(cost).sum();
        Found { functions, cost }
    });
    Ok(found.collect())
}

/// The design in which each choice is a table over the signals, and the latches of the
/// tables' entries: bit `i` of an entry's position is the value of signal `i`.
fn with_tables(
    design: &Design,
    choices: &[Literal],
    signals: &[Literal],
) -> (Design, Vec<Vec<NodeId>>) {
    let mut design = design.clone();
    let mut tables = Vec::new();
    for choice in choices {
        let entries: Vec<_> = (0..1usize << signals.len())
            .map(|_| {
                let entry = design.add_latch(Reset::Choice);
                design.set_next(entry, entry.literal());
                design.set_hidden(entry, true);
                entry
            })
            .collect();
        let mut level: Vec<Literal> = entries.iter().map(|id| id.literal()).collect();
        for signal in signals {
            level = level
                .chunks(2)
                .map(|pair| design.mux(*signal, pair[1], pair[0]))
                .collect();
        }
        design.drive(choice.node(), level[0], usize::MAX);
        tables.push(entries);
    }
    (design, tables)
}

struct Search {
    /// For each choice the variables of its table; none for entries without effect.
    tables: Vec<Vec<Option<Variable>>>,
    /// For each combination of signals the steps in which they have these values.
    points: Vec<Bdd>,
    /// The states that plays reach, for each table, or a superset.
    reached: Bdd,
    catalogue: Catalogue,
    wanted: usize,
    /// With each choice of tables the points that matter for it.
    found: Vec<(Vec<u16>, u16)>,
}

impl Search {
    /// Completes a choice of tables by ones that have so many operators together.
    fn extend(
        &mut self,
        chosen: &mut Vec<u16>,
        good: &Bdd,
        operators: usize,
    ) -> Result<(), RepairError> {
        if self.found.len() >= self.wanted || good.is_zero() {
            return Ok(());
        }
        if chosen.len() == self.tables.len() {
            return self.accept(chosen);
        }
        let is_last = chosen.len() + 1 == self.tables.len();
        for here in if is_last { operators } else { 0 }..=operators {
            for table in self.catalogue.with_operators(here).to_vec() {
                let rest = good.cofactor(&self.values(chosen.len(), table))?;
                chosen.push(table);
                self.extend(chosen, &rest, operators - here)?;
                chosen.pop();
            }
        }
        Ok(())
    }

    fn values(&self, choice: usize, table: u16) -> Vec<(Variable, bool)> {
        let entries = self.tables[choice].iter().enumerate();
        entries
            .filter_map(|(point, entry)| Some(((*entry)?, table >> point & 1 == 1)))
            .collect()
    }

    /// Tables that agree wherever plays lead are the same correction.
    fn accept(&mut self, chosen: &[u16]) -> Result<(), RepairError> {
        let alike = |(known, matters): &(Vec<u16>, u16)| {
            let mut pairs = known.iter().zip(chosen);
            pairs.all(|(a, b)| (a ^ b) & matters == 0)
        };
        if self.found.iter().any(alike) {
            return Ok(());
        }
        let values: Vec<_> = chosen
            .iter()
            .enumerate()
            .flat_map(|(choice, table)| self.values(choice, *table))
            .collect();
        let reached = self.reached.cofactor(&values)?;
        let mut matters = 0;
        for (point, here) in self.points.iter().enumerate() {
            if !here.cofactor(&values)?.and(&reached)?.is_zero() {
                matters |= 1 << point;
            }
        }
        self.found.push((chosen.to_vec(), matters));
        Ok(())
    }
}
