//! Runs a program on a manager and on an oracle side by side, and says where they differ.
//!
//! Each result is compared at once. After whatever may move or free nodes (a collection,
//! a reordering, an operation that a limit ended) all registers are compared again and
//! the data structure is checked. An operation that a limit ended must succeed, with the
//! right result, once the limit is lifted.

use super::coverage::{Coverage, Event};
use super::operands::{Operands, indices};
use super::oracle::{Oracle, translate};
use super::program::{Action, Instruction, Program, REGISTERS};
use crate::bdd::inspect::visit_nodes;
use crate::bdd::kernel::Edge;
use crate::bdd::{Bdd, Error, Limits, Manager, Reordering, Substitution, Variable};
use crate::random::Random;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// No program takes this long: one that does has met an operation that never ends.
const WATCHDOG: Duration = Duration::from_secs(60);

/// Runs a program on a manager; the message says what differs, and after which instruction.
pub fn run<O: Oracle>(program: &Program, manager: Manager, oracle: O) -> Result<Coverage, String> {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut machine = Machine::new(program, manager, oracle)?;
        for (number, instruction) in program.instructions.iter().enumerate() {
            machine
                .step(instruction)
                .map_err(|message| format!("instruction {number}, {instruction}: {message}"))?;
        }
        let coverage = machine.coverage;
        machine
            .finish()
            .map_err(|message| format!("at the end: {message}"))?;
        Ok(coverage)
    }));
    outcome.unwrap_or_else(|payload| {
        let message = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(payload.downcast_ref::<&str>().copied());
        Err(format!("panic: {}", message.unwrap_or("no message")))
    })
}

type Images<F> = Vec<(usize, F)>;

/// A substitution, what the oracle puts in the place of which variable, and the handles of
/// images that can be seen from outside.
struct Replacement<F> {
    substitution: Substitution,
    images: Images<F>,
    handles: Vec<Bdd>,
}

struct Machine<O: Oracle> {
    manager: Manager,
    oracle: O,
    /// How many variables there can be.
    variables: usize,
    registers: Vec<(Bdd, O::Function)>,
    substitutions: [Option<Replacement<O::Function>>; 2],
    /// The variables of each group, from the top level down.
    groups: Vec<Vec<Variable>>,
    limits: Limits,
    coverage: Coverage,
}

fn differ(condition: bool, message: &str) -> Result<(), String> {
    if condition {
        Ok(())
    } else {
        Err(message.to_string())
    }
}

impl<O: Oracle> Machine<O> {
    fn new(program: &Program, manager: Manager, oracle: O) -> Result<Machine<O>, String> {
        let initial = program.initial.clamp(1, program.variables);
        let mut machine = Machine {
            manager,
            oracle,
            variables: program.variables,
            registers: Vec::new(),
            substitutions: [None, None],
            groups: Vec::new(),
            limits: Limits::default(),
            coverage: Coverage::default(),
        };
        machine.lift_limits();
        let failed = |error: Error| error.to_string();
        let variables = machine.manager.new_variables(initial).map_err(failed)?;
        for register in 0..REGISTERS {
            let variable = variables[register % initial];
            let literal = machine.manager.literal(variable).map_err(failed)?;
            let expected = machine.oracle.literal(variable.index());
            machine.registers.push((literal, expected));
        }
        Ok(machine)
    }

    fn lift_limits(&self) {
        self.manager.set_limits(Limits {
            deadline: Some(Instant::now() + WATCHDOG),
            ..Limits::default()
        });
    }

    /// Does what may meet a limit: then all is well in spite of it, and it succeeds without.
    fn attempt<T>(
        &mut self,
        operation: impl Fn(&Manager) -> Result<T, Error>,
    ) -> Result<T, String> {
        let before = self.manager.statistics();
        let mut outcome = operation(&self.manager);
        if let Err(error) = outcome {
            let limits = &self.limits;
            let (active, event) = match error {
                Error::Nodes => (limits.nodes.is_some(), Event::NodeLimit),
                Error::Memory => (limits.memory.is_some(), Event::MemoryLimit),
                Error::Deadline => (limits.deadline.is_some(), Event::Deadline),
                Error::Interrupted => (limits.interrupt.is_some(), Event::Interrupt),
                Error::Effort => return Err("no limit on look-ups was set".to_string()),
                Error::Variables => return Err("too many variables".to_string()),
            };
            differ(active, &format!("'{error}' without such a limit"))?;
            self.coverage.add(event, 1);
            self.check_everything()
                .map_err(|message| format!("after '{error}': {message}"))?;
            self.lift_limits();
            outcome = operation(&self.manager);
            self.manager.set_limits(self.limits.clone());
        }
        let after = self.manager.statistics();
        if after.reorderings > before.reorderings {
            let count = after.reorderings - before.reorderings;
            self.coverage.add(Event::AutomaticReordering, count);
            self.check_everything()
                .map_err(|message| format!("after an automatic reordering: {message}"))?;
        } else {
            let count = after.collections - before.collections;
            self.coverage.add(Event::CollectionInside, count);
        }
        outcome.map_err(|error| format!("'{error}' without a limit"))
    }

    fn step(&mut self, instruction: &Instruction) -> Result<(), String> {
        let operands = Operands::new(instruction, self.manager.variable_count());
        let target = operands.register(0);
        match instruction.action {
            Action::Drop => {
                self.registers[target] = (self.manager.zero(), self.oracle.constant(false));
                Ok(())
            }
            Action::NewVariable => self.new_variable(),
            Action::Substitution | Action::Renaming => self.substitute(instruction, &operands),
            Action::Compare => self.compare(target, operands.register(1)),
            Action::Inspect => self.inspect(target, operands.values[1]),
            Action::Text => self.text(target, operands.register(1)),
            Action::Collect
            | Action::Reorder
            | Action::ReorderUntilStable
            | Action::SetOrder
            | Action::Group
            | Action::Automatic
            | Action::Limit
            | Action::Unlimit => self.manage(instruction, &operands),
            action => {
                let (result, expected) = self.compute(action, &operands)?;
                self.check_function(&result, &expected)?;
                for (other, same) in &self.registers {
                    differ(
                        (result == *other) == (expected == *same),
                        "equal handles and equal functions are not the same",
                    )?;
                }
                // Constants spread until nothing else is left, so they need to be asked for.
                if !result.is_constant() || action == Action::Constant {
                    self.registers[target] = (result, expected);
                    self.tame(target);
                }
                Ok(())
            }
        }
    }

    /// Replaces a register that has become too large for the oracle.
    fn tame(&mut self, register: usize) {
        if self.oracle.largest() < usize::MAX
            && self.registers[register].0.size() > self.oracle.largest()
        {
            self.registers[register] = (self.manager.one(), self.oracle.constant(true));
        }
    }

    fn new_variable(&mut self) -> Result<(), String> {
        if self.manager.variable_count() == self.variables {
            return Ok(());
        }
        let variable = self.attempt(|manager| manager.new_variable())?;
        differ(
            variable.index() + 1 == self.manager.variable_count()
                && self.manager.level(variable) == variable.index(),
            "a new variable is not the last",
        )
    }

    /// The result of an action that writes a register, and what it should be.
    fn compute(
        &mut self,
        action: Action,
        operands: &Operands,
    ) -> Result<(Bdd, O::Function), String> {
        let register = |position: usize| match action.kinds().get(position) {
            Some(super::program::Kind::Register) => {
                self.registers[operands.register(position)].clone()
            }
            _ => self.registers[0].clone(),
        };
        let ((f, f_), (g, g_), (h, h_)) = (register(1), register(2), register(3));
        let oracle = &self.oracle;
        Ok(match action {
            Action::Constant => {
                let value = operands.values[1] & 1 != 0;
                (self.manager.constant(value), oracle.constant(value))
            }
            Action::Literal => {
                let (variable, value) = (operands.variable(1), operands.values[2] & 1 != 0);
                let expected = oracle.cube(&[(variable.index(), value)]);
                let literal = self.attempt(|manager| manager.literal(variable))?;
                (if value { literal } else { literal.not() }, expected)
            }
            Action::Cube => {
                let literals = operands.literals(1, 2);
                let expected = oracle.cube(&indices(&literals));
                (self.attempt(|manager| manager.cube(&literals))?, expected)
            }
            Action::Sum => {
                let cubes = operands.random_cubes(1, 2);
                let expected = cubes.iter().fold(oracle.constant(false), |sum, cube| {
                    oracle.xor(&sum, &oracle.cube(&indices(cube)))
                });
                let result = self.attempt(|manager| {
                    cubes
                        .iter()
                        .try_fold(manager.zero(), |sum, cube| sum.xor(&manager.cube(cube)?))
                })?;
                (result, expected)
            }
            Action::Clone => (f.clone(), f_),
            Action::Not => (f.not(), oracle.not(&f_)),
            Action::And => {
                let expected = oracle.and(&f_, &g_);
                (self.attempt(|_| f.and(&g))?, expected)
            }
            Action::Or => {
                let expected = oracle.or(&f_, &g_);
                (self.attempt(|_| f.or(&g))?, expected)
            }
            Action::Xor => {
                let expected = oracle.xor(&f_, &g_);
                (self.attempt(|_| f.xor(&g))?, expected)
            }
            Action::Iff => {
                let expected = oracle.not(&oracle.xor(&f_, &g_));
                (self.attempt(|_| f.iff(&g))?, expected)
            }
            Action::Implies => {
                let expected = oracle.or(&oracle.not(&f_), &g_);
                (self.attempt(|_| f.implies(&g))?, expected)
            }
            Action::Minus => {
                let expected = oracle.and(&f_, &oracle.not(&g_));
                (self.attempt(|_| f.minus(&g))?, expected)
            }
            Action::Ite => {
                let expected = oracle.ite(&f_, &g_, &h_);
                (self.attempt(|_| f.ite(&g, &h))?, expected)
            }
            Action::Exists => {
                let expected = oracle.exists(&f_, operands.set(2));
                let set = operands.variables_of(2);
                let result = self.attempt(|manager| f.exists(&manager.set(&set)?))?;
                (result, expected)
            }
            Action::Forall => {
                let expected = oracle.forall(&f_, operands.set(2));
                let set = operands.variables_of(2);
                let result = self.attempt(|manager| f.forall(&manager.set(&set)?))?;
                (result, expected)
            }
            Action::AndExists => {
                let expected = oracle.exists(&oracle.and(&f_, &g_), operands.set(3));
                let set = operands.variables_of(3);
                let result = self.attempt(|manager| f.and_exists(&g, &manager.set(&set)?))?;
                (result, expected)
            }
            Action::OrForall => {
                let expected = oracle.forall(&oracle.or(&f_, &g_), operands.set(3));
                let set = operands.variables_of(3);
                let result = self.attempt(|manager| f.or_forall(&g, &manager.set(&set)?))?;
                (result, expected)
            }
            Action::Compose => {
                let slot = operands.values[2] as usize % self.substitutions.len();
                match self.substitutions[slot].take() {
                    None => (f, f_),
                    Some(replacement) => {
                        let result = self.attempt(|_| f.compose(&replacement.substitution));
                        let expected = self.oracle.compose(&f_, &replacement.images);
                        self.substitutions[slot] = Some(replacement);
                        (result?, expected)
                    }
                }
            }
            Action::Cofactor => {
                let literals = operands.literals(2, 3);
                let images: Images<O::Function> = indices(&literals)
                    .iter()
                    .map(|&(variable, value)| (variable, oracle.constant(value)))
                    .collect();
                let expected = oracle.compose(&f_, &images);
                (self.attempt(|_| f.cofactor(&literals))?, expected)
            }
            Action::Constrain => {
                let result = self.attempt(|_| f.constrain(&g))?;
                self.check_constrain(&result, &f_, &g_)?
            }
            Action::Minimize => {
                let result = self.attempt(|_| f.minimize(&g))?;
                self.check_minimize(&f, &result, &f_, &g_)?
            }
            Action::Cover => self.cover(&f, &f_, &g_, &g)?,
            other => unreachable!("{} writes no register", other.name()),
        })
    }

    /// The result as the oracle's function, if it is what it should be.
    fn check_constrain(
        &self,
        result: &Bdd,
        f: &O::Function,
        care: &O::Function,
    ) -> Result<(Bdd, O::Function), String> {
        let oracle = &self.oracle;
        if *care == oracle.constant(false) {
            return Ok((result.clone(), oracle.constant(false)));
        }
        let order: Vec<usize> = self.manager.order().iter().map(|v| v.index()).collect();
        let expected = match oracle.constrain(f, care, &order) {
            Some(expected) => expected,
            None => {
                let expected = self.read(result);
                let wrong = oracle.and(care, &oracle.xor(&expected, f));
                differ(wrong == oracle.constant(false), "differs on the care set")?;
                expected
            }
        };
        Ok((result.clone(), expected))
    }

    /// A handle as the oracle's function, however long it takes.
    fn read(&self, f: &Bdd) -> O::Function {
        let read = self.oracle.read(f);
        read.unwrap_or_else(|| translate(&self.oracle, f))
    }

    fn check_minimize(
        &self,
        f: &Bdd,
        result: &Bdd,
        expected: &O::Function,
        care: &O::Function,
    ) -> Result<(Bdd, O::Function), String> {
        let oracle = &self.oracle;
        let function = self.read(result);
        let wrong = oracle.and(care, &oracle.xor(&function, expected));
        differ(wrong == oracle.constant(false), "differs on the care set")?;
        differ(result.size() <= f.size(), "larger than what it minimises")?;
        let support = f.support();
        differ(
            result.support().iter().all(|v| support.contains(v)),
            "brings in variables",
        )?;
        Ok((result.clone(), function))
    }

    fn cover(
        &mut self,
        f: &Bdd,
        lower: &O::Function,
        other: &O::Function,
        g: &Bdd,
    ) -> Result<(Bdd, O::Function), String> {
        let cover = self.attempt(|_| f.cover_up_to(&f.or(g)?))?;
        let oracle = &self.oracle;
        let upper = oracle.or(lower, other);
        let result = self.read(cover.function());
        differ(oracle.implies(lower, &result), "the cover is too small")?;
        differ(oracle.implies(&result, &upper), "the cover is too large")?;
        differ(
            cover.is_empty() == (*lower == oracle.constant(false)),
            "a cover is empty exactly when nothing is to be covered",
        )?;
        let count = cover.len();
        if count > 40 {
            return Ok((cover.function().clone(), result));
        }
        let cubes: Vec<Vec<(usize, bool)>> = cover.cubes().map(|cube| indices(&cube)).collect();
        differ(cubes.len() as u128 == count, "cubes are miscounted")?;
        let functions: Vec<O::Function> = cubes.iter().map(|cube| oracle.cube(cube)).collect();
        let without = |left_out: usize| {
            let others = functions.iter().enumerate().filter(|(i, _)| *i != left_out);
            others.fold(oracle.constant(false), |all, (_, cube)| {
                oracle.or(&all, cube)
            })
        };
        differ(
            without(usize::MAX) == result,
            "the cubes are not the function",
        )?;
        for (index, cube) in cubes.iter().enumerate() {
            differ(
                !oracle.implies(lower, &without(index)),
                "a cube can be left out",
            )?;
            for literal in 0..cube.len() {
                let mut shorter = cube.clone();
                shorter.remove(literal);
                differ(
                    !oracle.implies(&oracle.cube(&shorter), &upper),
                    "a literal can be left out",
                )?;
            }
        }
        Ok((cover.function().clone(), result))
    }

    fn substitute(&mut self, instruction: &Instruction, operands: &Operands) -> Result<(), String> {
        let slot = operands.values[0] as usize % self.substitutions.len();
        if instruction.action == Action::Renaming {
            let from = operands.variables_of(1);
            let to = operands.variables_of(2);
            let pairs: Vec<(Variable, Variable)> = from
                .iter()
                .enumerate()
                .filter(|_| !to.is_empty())
                .map(|(index, &from)| (from, to[index % to.len()]))
                .collect();
            let renaming = self.attempt(|manager| manager.renaming(&pairs))?;
            let images = pairs
                .iter()
                .map(|(from, to)| (from.index(), self.oracle.literal(to.index())))
                .collect();
            self.substitutions[slot] = Some(Replacement {
                substitution: renaming,
                images,
                handles: Vec::new(),
            });
            return Ok(());
        }
        let first = operands.register(1);
        let mut pairs = Vec::new();
        let mut images = Vec::new();
        for (offset, &variable) in operands.variables_of(2).iter().enumerate() {
            let (image, expected) = &self.registers[(first + offset) % REGISTERS];
            pairs.push((variable, image.clone()));
            images.push((variable.index(), expected.clone()));
        }
        self.substitutions[slot] = Some(Replacement {
            substitution: self.manager.substitution(&pairs),
            images,
            handles: pairs.into_iter().map(|(_, image)| image).collect(),
        });
        Ok(())
    }

    fn compare(&mut self, left: usize, right: usize) -> Result<(), String> {
        let ((f, f_), (g, g_)) = (self.registers[left].clone(), self.registers[right].clone());
        let subset = self.attempt(|_| f.is_subset_of(&g))?;
        differ(
            subset == self.oracle.implies(&f_, &g_),
            "is_subset_of is wrong",
        )?;
        let disjoint = self.attempt(|_| f.is_disjoint_from(&g))?;
        let both = self.oracle.and(&f_, &g_);
        let expected = both == self.oracle.constant(false);
        differ(disjoint == expected, "is_disjoint_from is wrong")
    }

    /// Everything that only looks at a function.
    fn inspect(&mut self, register: usize, seed: u32) -> Result<(), String> {
        let (f, expected) = self.registers[register].clone();
        let oracle = &self.oracle;
        let all: Vec<Variable> = self.manager.variables().collect();

        let support: Vec<Variable> = all
            .iter()
            .copied()
            .filter(|v| oracle.exists(&expected, 1 << v.index()) != expected)
            .collect();
        differ(f.support() == support, "the support is wrong")?;
        let mut nodes = 0;
        visit_nodes(&self.manager.kernel(), &[f.edge()], |_| nodes += 1);
        differ(f.size() == nodes, "the size is wrong")?;

        let count = oracle.count(&expected);
        let exact = f.count_exactly(self.variables);
        differ(exact == Some(count as u128), "count_exactly is wrong")?;
        let more = f.count(self.variables + 3);
        differ(more == 8.0 * count as f64, "count is wrong")?;
        // Too many variables for whole numbers, and exact all the same.
        let many = f.count(self.variables + 200);
        differ(
            many == count as f64 * 2f64.powi(200),
            "a large count is wrong",
        )?;
        let density = count as f64 / 2f64.powi(self.variables as i32);
        differ(f.density() == density, "the density is wrong")?;

        let random = &mut Random::new(seed as u64);
        for _ in 0..16 {
            let point = random.below(1 << self.variables) as u32;
            differ(
                f.evaluate(|v| point >> v.index() & 1 != 0) == oracle.evaluate(&expected, point),
                "evaluate is wrong",
            )?;
        }

        differ(
            f.is_one() == (expected == oracle.constant(true)),
            "is_one is wrong",
        )?;
        differ(
            f.is_zero() == (expected == oracle.constant(false)),
            "is_zero is wrong",
        )?;
        differ(
            f.is_constant() == support.is_empty(),
            "is_constant is wrong",
        )?;
        match (f.pick_cube(), f.pick_minterm(&all)) {
            (None, None) => differ(f.is_zero(), "nothing to pick from a satisfiable function")?,
            (Some(cube), Some(minterm)) => {
                let cube = oracle.cube(&indices(&cube));
                differ(cube != oracle.constant(false), "picked a contradiction")?;
                differ(oracle.implies(&cube, &expected), "picked a wrong cube")?;
                differ(
                    minterm.iter().map(|(v, _)| *v).eq(all.iter().copied()),
                    "a minterm does not name the variables",
                )?;
                let minterm = oracle.cube(&indices(&minterm));
                differ(
                    oracle.implies(&minterm, &cube),
                    "a minterm is not of its cube",
                )?;
                let picked = self.attempt(|_| f.pick(&all))?;
                let picked = self.read(&picked.ok_or("nothing picked")?);
                // Not always the one above: an attempt that failed may have reordered.
                differ(
                    self.oracle.implies(&picked, &expected),
                    "picked a wrong minterm",
                )?;
                differ(
                    self.oracle.count(&picked) == 1 << (self.variables - all.len()),
                    "picked more than a minterm",
                )?;
            }
            _ => return Err("pick_cube and pick_minterm disagree".to_string()),
        }
        self.check_shape(&f)
    }

    /// Walks over the public view of a diagram: ordered, reduced, and as large as it says.
    fn check_shape(&self, f: &Bdd) -> Result<(), String> {
        let mut seen: HashSet<Edge> = HashSet::new();
        let mut nodes = 0;
        let mut pending = vec![f.clone()];
        while let Some(f) = pending.pop() {
            let Some((variable, low, high)) = f.expand() else {
                continue;
            };
            if !seen.insert(f.edge()) {
                continue;
            }
            if !seen.contains(&!f.edge()) {
                nodes += 1;
            }
            differ(low != high, "a node is redundant")?;
            for child in [low, high] {
                if let Some((below, _, _)) = child.expand() {
                    differ(
                        self.manager.level(below) > self.manager.level(variable),
                        "a node is not above its children",
                    )?;
                }
                pending.push(child);
            }
        }
        differ(f.size() == nodes, "the size is wrong")
    }

    fn text(&mut self, left: usize, right: usize) -> Result<(), String> {
        let (f, g) = (self.registers[left].clone(), self.registers[right].clone());
        let name = |variable: Variable| format!("v{}", variable.index());
        let text = self.manager.to_text(&[("f", &f.0), ("g", &g.0)], name);
        let find = |manager: &Manager, name: &str| {
            let index: usize = name.strip_prefix('v')?.parse().ok()?;
            manager.variables().nth(index)
        };
        let again = self.attempt(|manager| {
            let read = manager.from_text(&text, |name| find(manager, name));
            read.map_err(|error| match error {
                crate::bdd::ParseError::Limit(error) => error,
                crate::bdd::ParseError::Syntax { line, message } => {
                    panic!("line {line} of the text: {message}")
                }
            })
        })?;
        let expected = [
            ("f".to_string(), f.0.clone()),
            ("g".to_string(), g.0.clone()),
        ];
        differ(again == expected, "the text does not read back")?;

        let other = Manager::new();
        let failed = |error: Error| error.to_string();
        let mut order = other.new_variables(self.variables).map_err(failed)?;
        // With many variables, another order can be a much worse one.
        if self.variables <= 14 {
            order.reverse();
        }
        other.set_order(&order).map_err(failed)?;
        let read = other.from_text(&text, |name| find(&other, name));
        for ((_, result), (_, expected)) in read.map_err(|e| e.to_string())?.iter().zip([f, g]) {
            self.check_function(result, &expected)
                .map_err(|message| format!("in another manager: {message}"))?;
        }
        Ok(())
    }

    /// Collections, orders and limits.
    fn manage(&mut self, instruction: &Instruction, operands: &Operands) -> Result<(), String> {
        match instruction.action {
            Action::Collect => {
                self.manager.collect_garbage();
                self.check_live_nodes()?;
                self.check_everything()
            }
            Action::Reorder => {
                self.attempt(|manager| manager.reorder())?;
                self.check_live_nodes()?;
                self.check_everything()
            }
            Action::ReorderUntilStable => {
                self.attempt(|manager| manager.reorder_until_stable())?;
                self.check_everything()
            }
            Action::SetOrder => {
                let order = self.random_order(operands.values[0]);
                self.attempt(|manager| manager.set_order(&order))?;
                differ(self.manager.order() == order, "the order is not as set")?;
                self.check_live_nodes()?;
                self.check_everything()
            }
            Action::Group => {
                let first = operands.variable(0).index();
                let length = operands.values[1] as usize % 3 + 2;
                let order = self.manager.order();
                let Some(group) = order.get(first..first + length) else {
                    return Ok(());
                };
                let taken = |v: &Variable| self.groups.iter().any(|group| group.contains(v));
                if !group.iter().any(taken) {
                    self.manager.group(group);
                    self.groups.push(group.to_vec());
                    self.coverage.add(Event::Group, 1);
                }
                Ok(())
            }
            Action::Automatic => {
                let first_at = operands.values[0] as usize;
                self.manager.set_reordering(Reordering {
                    automatic: first_at > 0,
                    first_at,
                    max_growth: [1.2, 1.0, 4.0][operands.values[1] as usize % 3],
                    time_limit: (operands.values[2] == 0).then_some(Duration::ZERO),
                });
                Ok(())
            }
            Action::Limit => {
                let statistics = self.manager.statistics();
                let amount = operands.values[1] as usize;
                let mut limits = Limits::default();
                match operands.values[0] % 4 {
                    0 => limits.nodes = Some(statistics.nodes + amount),
                    1 => limits.memory = Some(statistics.bytes + 16 * amount),
                    2 => limits.deadline = Some(Instant::now()),
                    _ => limits.interrupt = Some(Arc::new(AtomicBool::new(true))),
                }
                self.limits = limits.clone();
                self.manager.set_limits(limits);
                Ok(())
            }
            _ => {
                self.limits = Limits::default();
                self.lift_limits();
                Ok(())
            }
        }
    }

    /// A random order that keeps groups together.
    fn random_order(&self, seed: u32) -> Vec<Variable> {
        let mut blocks: Vec<Vec<Variable>> = self.groups.clone();
        for variable in self.manager.variables() {
            if !self.groups.iter().any(|group| group.contains(&variable)) {
                blocks.push(vec![variable]);
            }
        }
        Random::new(seed as u64).shuffle(&mut blocks);
        blocks.concat()
    }

    fn check_function(&self, result: &Bdd, expected: &O::Function) -> Result<(), String> {
        match self.oracle.read(result) {
            Some(function) => differ(function == *expected, "the function is wrong"),
            None => {
                let exact = result.count_exactly(self.variables);
                let count = self.oracle.count(expected) as u128;
                differ(exact == Some(count), "the count is wrong")?;
                let random = &mut Random::new(count as u64);
                for _ in 0..16 {
                    let point = random.below(1 << self.variables) as u32;
                    differ(
                        result.evaluate(|v| point >> v.index() & 1 != 0)
                            == self.oracle.evaluate(expected, point),
                        "the function is wrong at a point",
                    )?;
                }
                Ok(())
            }
        }
    }

    /// Registers, data structure and groups.
    fn check_everything(&mut self) -> Result<(), String> {
        self.manager.check_consistency()?;
        for (number, (result, expected)) in self.registers.iter().enumerate() {
            self.check_function(result, expected)
                .map_err(|message| format!("r{number}: {message}"))?;
        }
        self.coverage
            .add(Event::GroupCheck, self.groups.len() as u64);
        for group in &self.groups {
            let first = self.manager.level(group[0]);
            differ(
                (group.iter().zip(first..)).all(|(&v, level)| self.manager.level(v) == level),
                "a group is torn apart",
            )?;
        }
        Ok(())
    }

    /// Right after a collection or a reordering, no node is there that no handle needs.
    fn check_live_nodes(&self) -> Result<(), String> {
        if cfg!(feature = "cudd") {
            return Ok(());
        }
        let functions: Vec<&Bdd> = self.registers.iter().map(|(f, _)| f).collect();
        let images = self.substitutions.iter().flatten().flat_map(|s| &s.handles);
        let functions: Vec<&Bdd> = functions.into_iter().chain(images).collect();
        let live = self.manager.shared_size(&functions);
        // A renaming keeps its literals, which are nobody else's to see.
        let hidden: usize = self
            .substitutions
            .iter()
            .flatten()
            .map(|s| s.images.len())
            .sum();
        let nodes = self.manager.statistics().nodes;
        differ(nodes <= live + hidden, "there are nodes that nobody needs")
    }

    /// Handles outlive the manager, which is dropped first.
    fn finish(mut self) -> Result<(), String> {
        self.check_everything()?;
        self.lift_limits();
        let Machine {
            manager,
            registers,
            oracle,
            substitutions,
            ..
        } = self;
        drop(substitutions);
        drop(manager);
        let mut all: Option<(Bdd, O::Function)> = None;
        for (f, expected) in registers {
            let (sum, sum_) = match all {
                None => (f, expected),
                Some((sum, sum_)) => (
                    sum.xor(&f).map_err(|error| error.to_string())?,
                    oracle.xor(&sum_, &expected),
                ),
            };
            if let Some(function) = oracle.read(&sum) {
                differ(function == sum_, "the function is wrong")?;
            }
            all = Some((sum, sum_));
        }
        Ok(())
    }
}
