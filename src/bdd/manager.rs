//! The manager: variables, their order, limits and memory.

use super::function::Bdd;
use super::kernel::{Edge, Kernel, Replacements, Statistics, Step, VarIndex};
use super::limits::{Limits, Reordering, Result, Search};
use std::cell::{Ref, RefCell, RefMut};
use std::rc::Rc;

/// A variable of a manager. Its number never changes; its level does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub(super) VarIndex);

impl Variable {
    /// Variables are numbered from 0 in the order in which they were made.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of variables to quantify over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableSet(pub(super) Bdd);

/// Functions to put in the place of variables, all at once.
///
/// Results of one substitution are remembered under its number: make it once and use it
/// often.
pub struct Substitution {
    pub(super) replacements: Replacements,
    pub(super) manager: Manager,
    /// Keeps the replacements alive.
    _images: Vec<Bdd>,
}

/// Variables and the functions over them. Clones are the same manager.
#[derive(Clone)]
pub struct Manager {
    kernel: Rc<RefCell<Kernel>>,
}

impl Default for Manager {
    fn default() -> Manager {
        Manager::new()
    }
}

impl Manager {
    pub fn new() -> Manager {
        Manager {
            kernel: Rc::new(RefCell::new(Kernel::new())),
        }
    }

    pub(super) fn kernel(&self) -> Ref<'_, Kernel> {
        self.kernel.borrow()
    }

    pub(super) fn kernel_mut(&self) -> RefMut<'_, Kernel> {
        self.kernel.borrow_mut()
    }

    pub(super) fn is(&self, other: &Manager) -> bool {
        Rc::ptr_eq(&self.kernel, &other.kernel)
    }

    /// A handle to what the operation returns.
    pub(super) fn run(&self, operation: impl FnMut(&mut Kernel) -> Step<Edge>) -> Result<Bdd> {
        let edge = self.kernel_mut().run(operation)?;
        Ok(self.handle(edge))
    }

    pub(super) fn handle(&self, edge: Edge) -> Bdd {
        Bdd::new(self, edge)
    }

    /// A new variable, below all others.
    pub fn new_variable(&self) -> Result<Variable> {
        self.kernel_mut().new_variable().map(Variable)
    }

    /// `count` new variables, below all others.
    pub fn new_variables(&self, count: usize) -> Result<Vec<Variable>> {
        (0..count).map(|_| self.new_variable()).collect()
    }

    pub fn variable_count(&self) -> usize {
        self.kernel().variable_count()
    }

    /// All variables, in the order in which they were made.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + use<> {
        (0..self.variable_count()).map(|index| Variable(index as VarIndex))
    }

    pub fn one(&self) -> Bdd {
        self.handle(Edge::ONE)
    }

    pub fn zero(&self) -> Bdd {
        self.handle(Edge::ZERO)
    }

    pub fn constant(&self, value: bool) -> Bdd {
        if value { self.one() } else { self.zero() }
    }

    /// The function that is the variable's value.
    pub fn literal(&self, variable: Variable) -> Result<Bdd> {
        self.run(|kernel| kernel.literal(variable.0))
    }

    /// The conjunction of literals. Naming a variable twice, with both values, is zero.
    pub fn cube(&self, literals: &[(Variable, bool)]) -> Result<Bdd> {
        let mut literals = literals.to_vec();
        // From the lowest level up, each conjunction makes one node.
        literals.sort_by_key(|(variable, _)| std::cmp::Reverse(self.level(*variable)));
        let mut cube = self.one();
        for (variable, value) in literals {
            let literal = self.literal(variable)?;
            cube = cube.and(&if value { literal } else { literal.not() })?;
        }
        Ok(cube)
    }

    pub fn set(&self, variables: &[Variable]) -> Result<VariableSet> {
        let literals: Vec<_> = variables.iter().map(|&variable| (variable, true)).collect();
        self.cube(&literals).map(VariableSet)
    }

    /// Puts each function in the place of its variable; a later pair for the same variable wins.
    pub fn substitution(&self, pairs: &[(Variable, Bdd)]) -> Substitution {
        let mut images = vec![None; self.variable_count()];
        for (variable, image) in pairs {
            image.check_manager(self);
            images[variable.index()] = Some(image.edge());
        }
        // A statement of its own: cloning the images borrows the kernel again.
        let number = self.kernel_mut().new_substitution();
        Substitution {
            replacements: Replacements { number, images },
            manager: self.clone(),
            _images: pairs.iter().map(|(_, image)| image.clone()).collect(),
        }
    }

    /// Puts each second variable in the place of the first, all at once.
    pub fn renaming(&self, pairs: &[(Variable, Variable)]) -> Result<Substitution> {
        let pairs: Result<Vec<_>> = pairs
            .iter()
            .map(|&(from, to)| Ok((from, self.literal(to)?)))
            .collect();
        Ok(self.substitution(&pairs?))
    }

    /// The place of a variable in the order, 0 at the top.
    pub fn level(&self, variable: Variable) -> usize {
        self.kernel().level_of(variable.0)
    }

    /// The variables from the top level down.
    pub fn order(&self) -> Vec<Variable> {
        self.kernel()
            .order()
            .iter()
            .copied()
            .map(Variable)
            .collect()
    }

    /// Brings the variables into the given order.
    ///
    /// # Panics
    /// If `order` does not name each variable exactly once, or tears a group apart.
    pub fn set_order(&self, order: &[Variable]) -> Result<()> {
        let order: Vec<VarIndex> = order.iter().map(|variable| variable.0).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        let all: Vec<VarIndex> = self.variables().map(|variable| variable.0).collect();
        assert_eq!(sorted, all, "an order names each variable once");
        let mut kernel = self.kernel_mut();
        assert!(
            kernel.keeps_groups(&order),
            "an order leaves the variables of a group next to each other, as they were"
        );
        kernel.set_order(&order)
    }

    /// Keeps variables together and in their order in all later reorderings, such as the
    /// current and the next value of one latch.
    ///
    /// # Panics
    /// If they are not on neighbouring levels, or if one of them would leave others of its
    /// present group behind.
    pub fn group(&self, variables: &[Variable]) {
        let mut levels: Vec<usize> = variables
            .iter()
            .map(|&variable| self.level(variable))
            .collect();
        levels.sort_unstable();
        levels.dedup();
        let neighbours = levels.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        assert!(neighbours, "a group is on neighbouring levels");
        let variables: Vec<VarIndex> = variables.iter().map(|variable| variable.0).collect();
        let mut kernel = self.kernel_mut();
        assert!(
            kernel.contains_groups_of(&variables),
            "a variable would leave another group behind"
        );
        kernel.group(&variables);
    }

    /// Sifts the variables once, whether reordering is automatic or not.
    pub fn reorder(&self) -> Result<()> {
        self.kernel_mut().reorder(Search::Joining)
    }

    /// Sifts until the diagrams shrink by less than one part in a hundred: single variables
    /// in turns with and without joining neighbours that seem to belong together, and when
    /// that gains nothing, every run of a few neighbours. What holds one search up does not
    /// hold up another.
    pub fn reorder_until_stable(&self) -> Result<()> {
        const SINGLE: [Search; 2] = [Search::Joining, Search::Plain];
        const LONGEST_RUN: usize = 5;
        let runs = (2..=LONGEST_RUN)
            .flat_map(|length| (0..length).map(move |offset| Search::Runs { length, offset }));
        self.collect_garbage();
        // The least so far, for one search may undo some of what another gained.
        let mut least = self.statistics().nodes;
        let mut gains = |search: Search| -> Result<bool> {
            self.kernel_mut().reorder(search)?;
            let nodes = self.statistics().nodes;
            let gained = nodes * 100 < least * 99;
            least = least.min(nodes);
            Ok(gained)
        };
        loop {
            let mut without_gain = 0;
            for search in SINGLE.into_iter().cycle() {
                without_gain = if gains(search)? { 0 } else { without_gain + 1 };
                if without_gain == SINGLE.len() {
                    break;
                }
            }
            let mut gained = false;
            for search in runs.clone() {
                gained = gains(search)?;
                if gained {
                    break;
                }
            }
            if !gained {
                return Ok(());
            }
        }
    }

    pub fn set_reordering(&self, reordering: Reordering) {
        self.kernel_mut().set_reordering(reordering);
    }

    pub fn reordering(&self) -> Reordering {
        self.kernel().reordering()
    }

    /// Says that other functions come now, and how many nodes there are before them. After
    /// large ones, the next automatic reordering would otherwise wait until these are as large.
    pub fn expect(&self, nodes: usize) {
        self.kernel_mut().expect(nodes);
    }

    pub fn set_limits(&self, limits: Limits) {
        self.kernel_mut().set_limits(limits);
    }

    /// Frees what no handle needs. Operations do so themselves when it pays.
    pub fn collect_garbage(&self) {
        self.kernel_mut().collect();
    }

    pub fn statistics(&self) -> Statistics {
        self.kernel().statistics()
    }

    /// Checks the invariants of the data structure; meant for tests.
    pub fn check_consistency(&self) -> std::result::Result<(), String> {
        self.kernel().check_consistency()
    }
}

impl VariableSet {
    pub fn variables(&self) -> Result<Vec<Variable>> {
        Ok(self.0.support())
    }

    pub fn union(&self, other: &VariableSet) -> Result<VariableSet> {
        self.0.and(&other.0).map(VariableSet)
    }
}
