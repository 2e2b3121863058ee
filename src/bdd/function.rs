//! A handle to a Boolean function, and the operations on functions.

use super::kernel::Edge;
use super::limits::Result;
use super::manager::{Manager, Substitution, Variable, VariableSet};
use std::fmt;
use std::hash::{Hash, Hasher};

/// A Boolean function of a manager's variables.
///
/// # Panics
/// Operations on functions of different managers panic.
pub struct Bdd {
    manager: Manager,
    edge: Edge,
    slot: u32,
}

impl Bdd {
    pub(super) fn new(manager: &Manager, edge: Edge) -> Bdd {
        let slot = manager.kernel_mut().protect(edge);
        Bdd {
            manager: manager.clone(),
            edge,
            slot,
        }
    }

    pub(super) fn edge(&self) -> Edge {
        self.edge
    }

    pub(super) fn check_manager(&self, manager: &Manager) {
        assert!(self.manager.is(manager), "functions of different managers");
    }

    fn edge_for(&self, other: &Bdd) -> Edge {
        self.check_manager(&other.manager);
        self.edge
    }

    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    pub fn is_one(&self) -> bool {
        self.edge == Edge::ONE
    }

    pub fn is_zero(&self) -> bool {
        self.edge == Edge::ZERO
    }

    pub fn is_constant(&self) -> bool {
        self.edge.is_terminal()
    }

    pub fn not(&self) -> Bdd {
        self.manager.handle(!self.edge)
    }

    pub fn and(&self, other: &Bdd) -> Result<Bdd> {
        let other = other.edge_for(self);
        self.manager.run(|kernel| kernel.and(self.edge, other))
    }

    pub fn or(&self, other: &Bdd) -> Result<Bdd> {
        let other = other.edge_for(self);
        self.manager.run(|kernel| kernel.or(self.edge, other))
    }

    pub fn xor(&self, other: &Bdd) -> Result<Bdd> {
        let other = other.edge_for(self);
        self.manager.run(|kernel| kernel.xor(self.edge, other))
    }

    pub fn iff(&self, other: &Bdd) -> Result<Bdd> {
        let other = other.edge_for(self);
        self.manager.run(|kernel| kernel.xor(!self.edge, other))
    }

    /// `!self | other`
    pub fn implies(&self, other: &Bdd) -> Result<Bdd> {
        let other = other.edge_for(self);
        self.manager.run(|kernel| kernel.or(!self.edge, other))
    }

    /// `self & !other`
    pub fn minus(&self, other: &Bdd) -> Result<Bdd> {
        let other = other.edge_for(self);
        self.manager.run(|kernel| kernel.and(self.edge, !other))
    }

    /// `if self then then else otherwise`
    pub fn ite(&self, then: &Bdd, otherwise: &Bdd) -> Result<Bdd> {
        let (then, otherwise) = (then.edge_for(self), otherwise.edge_for(self));
        self.manager
            .run(|kernel| kernel.ite(self.edge, then, otherwise))
    }

    /// Whether `self` implies `other` everywhere. Makes no node.
    pub fn is_subset_of(&self, other: &Bdd) -> Result<bool> {
        let other = other.edge_for(self);
        self.manager
            .kernel_mut()
            .run(|kernel| kernel.less_equal(self.edge, other))
    }

    /// Whether no assignment satisfies both. Makes no node.
    pub fn is_disjoint_from(&self, other: &Bdd) -> Result<bool> {
        let other = other.edge_for(self);
        self.manager
            .kernel_mut()
            .run(|kernel| kernel.less_equal(self.edge, !other))
    }

    pub fn exists(&self, variables: &VariableSet) -> Result<Bdd> {
        let cube = variables.0.edge_for(self);
        self.manager.run(|kernel| kernel.exists(self.edge, cube))
    }

    pub fn forall(&self, variables: &VariableSet) -> Result<Bdd> {
        let cube = variables.0.edge_for(self);
        self.manager
            .run(|kernel| Ok(!kernel.exists(!self.edge, cube)?))
    }

    /// `exists variables: self & other`, without building the conjunction.
    pub fn and_exists(&self, other: &Bdd, variables: &VariableSet) -> Result<Bdd> {
        let (other, cube) = (other.edge_for(self), variables.0.edge_for(self));
        self.manager
            .run(|kernel| kernel.and_exists(self.edge, other, cube))
    }

    /// `forall variables: self | other`, without building the disjunction.
    pub fn or_forall(&self, other: &Bdd, variables: &VariableSet) -> Result<Bdd> {
        let (other, cube) = (other.edge_for(self), variables.0.edge_for(self));
        self.manager
            .run(|kernel| Ok(!kernel.and_exists(!self.edge, !other, cube)?))
    }

    /// All replacements at once.
    pub fn compose(&self, substitution: &Substitution) -> Result<Bdd> {
        self.check_manager(&substitution.manager);
        self.manager
            .run(|kernel| kernel.compose(self.edge, &substitution.replacements))
    }

    /// The function with the given values for some variables.
    pub fn cofactor(&self, values: &[(Variable, bool)]) -> Result<Bdd> {
        let cube = self.manager.cube(values)?;
        assert!(!cube.is_zero(), "a cofactor gives each variable one value");
        self.manager
            .run(|kernel| kernel.constrain(self.edge, cube.edge))
    }

    /// The generalised cofactor: agrees with `self` on `care`; its value elsewhere is that
    /// of the nearest point of `care`. For an empty `care`, zero.
    pub fn constrain(&self, care: &Bdd) -> Result<Bdd> {
        let edge = care.edge_for(self);
        if edge == Edge::ZERO {
            return Ok(self.manager.zero());
        }
        self.manager.run(|kernel| kernel.constrain(self.edge, edge))
    }

    /// A small function that agrees with `self` on `care`: never larger than `self`, and
    /// without variables that `self` does not have.
    pub fn minimize(&self, care: &Bdd) -> Result<Bdd> {
        let edge = care.edge_for(self);
        if edge == Edge::ZERO {
            return Ok(self.manager.zero());
        }
        let smaller = self
            .manager
            .run(|kernel| kernel.restrict(self.edge, edge))?;
        Ok(if smaller.size() < self.size() {
            smaller
        } else {
            self.clone()
        })
    }
}

impl Clone for Bdd {
    fn clone(&self) -> Bdd {
        self.manager.handle(self.edge)
    }
}

impl Drop for Bdd {
    fn drop(&mut self) {
        self.manager.kernel_mut().release(self.slot);
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Bdd) -> bool {
        self.edge == other.edge && self.manager.is(&other.manager)
    }
}

impl Eq for Bdd {}

impl Hash for Bdd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.edge.hash(state);
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Bdd({:?})", self.edge)
    }
}
