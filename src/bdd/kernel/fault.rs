//! Faults that tests plant, to show that the test suite would find them. Outside of tests
//! there is none, and the questions for them cost nothing.

use super::Kernel;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::bdd) enum Fault {
    /// Now and then, a new node gets the wrong complement on an edge.
    WrongComplement,
    /// Collections and reorderings keep computed results whose nodes are gone.
    StaleCache,
    /// Collections forget what the running operation needs.
    ForgottenProtection,
    /// Level swaps free nodes that others still refer to.
    EarlyFree,
    /// Level swaps never free a node.
    NoFree,
}

impl Kernel {
    #[cfg(test)]
    pub fn plant(&mut self, fault: Fault) {
        self.fault = Some(fault);
    }

    #[cfg(test)]
    pub(super) fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    #[cfg(not(test))]
    #[inline(always)]
    pub(super) fn has(&self, _: Fault) -> bool {
        false
    }

    /// A fault can tie diagrams into a knot. Tests must hear of it before the stack ends,
    /// or there is no program to show.
    #[cfg(test)]
    pub(super) fn watch_depth(&self) {
        let deep = crate::stack::is_nearly_used_up();
        assert!(!deep, "recursion without end");
    }

    #[cfg(not(test))]
    #[inline(always)]
    pub(super) fn watch_depth(&self) {}
}
