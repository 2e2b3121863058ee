//! CUDD 3 in the place of the [kernel](super::kernel): the same interface, for the feature
//! `cudd`. `docs/cudd.md` says how to build and test it.
//!
//! An [`Edge`] is the address of one of CUDD's nodes, complement bit included, except that
//! the constants have the same edges in every manager. CUDD counts references: a slot is
//! one reference, so what handles hold stays. The result of an operation has none until
//! [`Kernel::protect`], which comes before any other operation.
//!
//! Two callbacks connect limits with CUDD. It asks now and then whether to
//! [terminate](terminate), and tells when a reordering [begins](reordering_begins) and
//! [ends](reordering_ends), because a time limit on reorderings is not one on operations.
//! What CUDD does coarsely: it looks at the limits on nodes and memory only when it needs
//! another thousand nodes, so [`Kernel::result`] looks again; and at deadlines only every two
//! thousand computed results and between two variables that it sifts.

#![allow(unsafe_code, reason = "CUDD is written in C")]

use super::inspect::visit_nodes;
use super::limits::{Error, Limits, Reordering, Search};
use crate::stack;
use cudd_sys::cudd::*;
use cudd_sys::mtr::MTR_FIXED;
use cudd_sys::{DdManager, DdNode};
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_double, c_int, c_uint, c_void};
use std::ops::{BitXor, Not};
use std::ptr;
use std::rc::Rc;
use std::time::Instant;

// For these `cudd-sys` declares a result, of type `c_void`; in C they have none. The last
// one is not in CUDD's public header, though every build has it.
unsafe extern "C" {
    fn Cudd_Ref(node: *mut DdNode);
    fn Cudd_RecursiveDeref(dd: *mut DdManager, node: *mut DdNode);
    fn Cudd_Quit(dd: *mut DdManager);
    fn Cudd_AutodynEnable(dd: *mut DdManager, method: Cudd_ReorderingType);
    fn Cudd_AutodynDisable(dd: *mut DdManager);
    fn Cudd_ClearErrorCode(dd: *mut DdManager);
    fn Cudd_FreeTree(dd: *mut DdManager);
    fn Cudd_SetApplicationHook(dd: *mut DdManager, value: *mut c_void);
    fn Cudd_SetMaxCacheHard(dd: *mut DdManager, entries: c_uint);
    fn Cudd_SetMaxGrowth(dd: *mut DdManager, factor: c_double);
    fn Cudd_SetMaxLive(dd: *mut DdManager, nodes: c_uint);
    fn Cudd_SetNextReordering(dd: *mut DdManager, nodes: c_uint);
    fn Cudd_RegisterTerminationCallback(
        dd: *mut DdManager,
        callback: DD_TERMINATION_HANDLER,
        argument: *mut c_void,
    );
    fn cuddGarbageCollect(dd: *mut DdManager, clear_cache: c_int) -> c_int;
}

/// From this estimate CUDD derives how large its tables grow before it collects garbage.
const MEMORY_ESTIMATE: usize = 1 << 30;

/// With a lower threshold for reorderings, and so few nodes, CUDD 3.0.0 leaves operations
/// to reorder, then finds that not worth it, and fails without a reason.
const LEAST_THRESHOLD: c_uint = 10;

pub(super) type VarIndex = u16;

/// As many as the kernel has.
const MAX_VARIABLES: usize = u16::MAX as usize - 1;

/// Operations end early only for a limit: CUDD itself begins again after a reordering.
pub(super) type Step<T> = Result<T, Error>;

/// A reference to a node, or to the negation of its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Edge(usize);

impl Edge {
    pub const ONE: Edge = Edge(0);
    pub const ZERO: Edge = Edge(1);

    pub fn index(self) -> usize {
        self.0 >> 1
    }

    pub fn is_complemented(self) -> bool {
        self.0 & 1 != 0
    }

    pub fn is_terminal(self) -> bool {
        self.0 <= 1
    }

    pub fn regular(self) -> Edge {
        Edge(self.0 & !1)
    }
}

impl Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// `edge ^ other`: `edge`, negated if `other` is complemented.
impl BitXor for Edge {
    type Output = Edge;

    fn bitxor(self, other: Edge) -> Edge {
        Edge(self.0 ^ (other.0 & 1))
    }
}

/// What replaces each variable, by variable number.
pub(super) struct Replacements {
    #[expect(
        dead_code,
        reason = "CUDD does not remember compositions between calls"
    )]
    pub number: u32,
    pub images: Vec<Option<Edge>>,
}

/// What a manager has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Nodes in the tables, garbage included; not the literals, which CUDD always has.
    pub nodes: usize,
    /// The most nodes that CUDD had room for at once.
    pub peak_nodes: usize,
    /// Bytes of nodes, tables and caches.
    pub bytes: usize,
    pub collections: u64,
    pub reorderings: u64,
    pub swaps: u64,
    pub seconds_reordering: f64,
    pub cache_lookups: u64,
    /// The same here: CUDD does not count what reorderings take.
    pub work: u64,
    pub cache_hits: u64,
}

/// What the callbacks look at. CUDD has its address.
#[derive(Default)]
struct Watch {
    limits: RefCell<Limits>,
    reordering: Cell<Reordering>,
    /// When the reordering that is under way began.
    since: Cell<Option<Instant>>,
    /// Why CUDD was told to stop.
    stopped: Cell<Option<Error>>,
}

impl Watch {
    fn limit_reached(&self) -> Option<Error> {
        self.limits.borrow().check().err()
    }

    fn reordering_out_of_time(&self) -> bool {
        let limit = self.reordering.get().time_limit;
        match (self.since.get(), limit) {
            (Some(since), Some(limit)) => since.elapsed() >= limit,
            _ => false,
        }
    }
}

extern "C" fn terminate(watch: *const c_void) -> c_int {
    // SAFETY: the address is that of the kernel's watch, which lives as long as the
    // manager that calls this, and is only ever shared.
    let watch = unsafe { &*watch.cast::<Watch>() };
    if let Some(error) = watch.limit_reached() {
        watch.stopped.set(Some(error));
        return 1;
    }
    watch.reordering_out_of_time() as c_int
}

extern "C" fn reordering_begins(dd: *mut DdManager, _: *const c_char, _: *mut c_void) -> c_int {
    // SAFETY: `dd` is the manager that calls this, and its application hook is the address
    // of the kernel's watch, which lives as long as it.
    let watch = unsafe { &*Cudd_ReadApplicationHook(dd).cast::<Watch>() };
    watch.since.set(Some(Instant::now()));
    1
}

extern "C" fn reordering_ends(dd: *mut DdManager, _: *const c_char, _: *mut c_void) -> c_int {
    // SAFETY: as above.
    let watch = unsafe { &*Cudd_ReadApplicationHook(dd).cast::<Watch>() };
    watch.since.set(None);
    // SAFETY: `dd` is a manager.
    unsafe {
        let threshold = Cudd_ReadNextReordering(dd).max(LEAST_THRESHOLD);
        Cudd_SetNextReordering(dd, threshold);
    }
    // A reordering that was terminated switches all later ones off.
    if watch.reordering.get().automatic {
        // SAFETY: `dd` is a manager, and no node is on its way to be freed at this moment.
        unsafe { Cudd_AutodynEnable(dd, Cudd_ReorderingType::CUDD_REORDER_SAME) };
    }
    1
}

pub(super) struct Kernel {
    /// A manager of CUDD, which nobody else has.
    dd: *mut DdManager,
    one: *mut DdNode,
    watch: Rc<Watch>,
    /// What handles hold: a reference for each.
    slots: Vec<Edge>,
    vacant: Vec<u32>,
    /// The group of each variable; groups move as one.
    groups: Vec<Option<u32>>,
    group_count: u32,
    /// Whether CUDD has yet to hear of groups, or of variables beside them.
    groups_changed: bool,
    substitutions: u32,
    /// Nodes of constants, which CUDD always has.
    constants: usize,
    /// What there was when the operation that is under way began.
    before: Usage,
}

/// What limits are about.
#[derive(Clone, Copy, Default)]
struct Usage {
    /// Live nodes that somebody asked for.
    nodes: usize,
    bytes: usize,
}

impl Kernel {
    pub fn new() -> Kernel {
        // SAFETY: plain numbers go in, and a manager or null comes out.
        let dd = unsafe { Cudd_Init(0, 0, CUDD_UNIQUE_SLOTS, CUDD_CACHE_SLOTS, MEMORY_ESTIMATE) };
        // As for any other allocation of a few pages, there is nothing to return to.
        assert!(!dd.is_null(), "no memory for an empty manager");
        let watch = Rc::new(Watch::default());
        let address = Rc::as_ptr(&watch).cast_mut().cast::<c_void>();
        // SAFETY: `dd` is a manager. The callbacks have the types that CUDD calls them with,
        // and `address` is valid until `Kernel::drop` has ended the manager.
        let hooked = unsafe {
            Cudd_SetMaxCacheHard(dd, c_uint::MAX);
            Cudd_SetApplicationHook(dd, address);
            Cudd_RegisterTerminationCallback(dd, terminate, address);
            let before = Cudd_HookType::CUDD_PRE_REORDERING_HOOK;
            let after = Cudd_HookType::CUDD_POST_REORDERING_HOOK;
            Cudd_AddHook(dd, reordering_begins, before) == 1
                && Cudd_AddHook(dd, reordering_ends, after) == 1
        };
        assert!(hooked, "no memory for an empty manager");
        let mut kernel = Kernel {
            dd,
            // SAFETY: `dd` is a manager.
            one: unsafe { Cudd_ReadOne(dd) },
            watch,
            slots: Vec::new(),
            vacant: Vec::new(),
            groups: Vec::new(),
            group_count: 0,
            groups_changed: false,
            substitutions: 0,
            // SAFETY: `dd` is a manager.
            constants: unsafe { Cudd_ReadKeys(dd) } as usize,
            before: Usage::default(),
        };
        kernel.set_reordering(Reordering::default());
        kernel
    }

    /// Runs one operation.
    pub fn run<T>(
        &mut self,
        mut operation: impl FnMut(&mut Kernel) -> Step<T>,
    ) -> Result<T, Error> {
        self.begin()?;
        self.with_stack(|kernel| operation(kernel))
    }

    /// What comes before anything that may take long.
    fn begin(&mut self) -> Result<(), Error> {
        if let Some(error) = self.watch.limit_reached() {
            return Err(error);
        }
        self.watch.stopped.set(None);
        self.before = self.usage();
        self.tell_groups()
    }

    /// Recursion is as deep as there are variables: few fit any stack, many get their own.
    fn with_stack<T>(&mut self, work: impl FnOnce(&mut Kernel) -> T) -> T {
        const PER_LEVEL: usize = 1024;
        const ALWAYS_FITS: usize = 512;
        let levels = self.variable_count();
        if levels <= ALWAYS_FITS {
            return work(self);
        }
        let size = levels * PER_LEVEL;
        stack::with_bytes(size, || work(self))
    }

    fn pointer(&self, edge: Edge) -> *mut DdNode {
        if edge.is_terminal() {
            self.one.map_addr(|address| address ^ edge.0)
        } else {
            ptr::with_exposed_provenance_mut(edge.0)
        }
    }

    fn edge(&self, pointer: *mut DdNode) -> Edge {
        let address = pointer.expose_provenance();
        if address & !1 == self.one.addr() {
            Edge(address & 1)
        } else {
            Edge(address)
        }
    }

    /// The edge to the result of an operation, unless a limit ended it.
    fn result(&mut self, pointer: *mut DdNode) -> Step<Edge> {
        if pointer.is_null() {
            return Err(self.failure());
        }
        // CUDD may not have looked since a limit was passed.
        if let Some(error) = self.limit_passed() {
            // SAFETY: `pointer` is a node of this manager that nothing refers to yet; it
            // becomes garbage.
            unsafe {
                Cudd_Ref(pointer);
                Cudd_RecursiveDeref(self.dd, pointer);
            }
            return Err(error);
        }
        Ok(self.edge(pointer))
    }

    /// Why CUDD gave no result. It can go on after this.
    fn failure(&mut self) -> Error {
        // SAFETY: `self.dd` is a manager.
        let code = unsafe { Cudd_ReadErrorCode(self.dd) };
        // SAFETY: `self.dd` is a manager.
        unsafe { Cudd_ClearErrorCode(self.dd) };
        self.switch_reordering();
        match code {
            Cudd_ErrorType::CUDD_TERMINATION | Cudd_ErrorType::CUDD_TIMEOUT_EXPIRED => {
                self.watch.stopped.take().unwrap_or(Error::Deadline)
            }
            Cudd_ErrorType::CUDD_TOO_MANY_NODES => Error::Nodes,
            // A reordering that found no memory leaves no code.
            Cudd_ErrorType::CUDD_MEMORY_OUT
            | Cudd_ErrorType::CUDD_MAX_MEM_EXCEEDED
            | Cudd_ErrorType::CUDD_NO_ERROR => Error::Memory,
            Cudd_ErrorType::CUDD_INVALID_ARG | Cudd_ErrorType::CUDD_INTERNAL_ERROR => {
                panic!("CUDD reports an internal error")
            }
        }
    }

    /// The limit that the operation that is under way has passed: what was there before
    /// it is not its fault.
    fn limit_passed(&self) -> Option<Error> {
        let (limits, now) = (self.watch.limits.borrow(), self.usage());
        let passed = |limit: Option<usize>, before: usize, now: usize| {
            now > before && limit.is_some_and(|limit| now > limit)
        };
        if passed(limits.nodes, self.before.nodes, now.nodes) {
            Some(Error::Nodes)
        } else if passed(limits.memory, self.before.bytes, now.bytes) {
            Some(Error::Memory)
        } else if [limits.lookups, limits.work]
            .into_iter()
            .flatten()
            .any(|limit| self.lookups() >= limit)
        {
            Some(Error::Effort)
        } else {
            None
        }
    }

    fn lookups(&self) -> u64 {
        // SAFETY: `self.dd` is a manager.
        unsafe { Cudd_ReadCacheLookUps(self.dd) as u64 }
    }

    fn usage(&self) -> Usage {
        // SAFETY: `self.dd` is a manager.
        let (keys, dead, bytes) = unsafe {
            (
                Cudd_ReadKeys(self.dd),
                Cudd_ReadDead(self.dd),
                Cudd_ReadMemoryInUse(self.dd),
            )
        };
        let nodes = ((keys - dead) as usize).saturating_sub(self.hidden());
        Usage { nodes, bytes }
    }

    /// Nodes that CUDD always has: the constants and the literals.
    fn hidden(&self) -> usize {
        self.constants + self.variable_count()
    }

    pub fn set_limits(&mut self, limits: Limits) {
        self.watch.limits.replace(limits);
        self.tell_limits();
    }

    fn tell_limits(&mut self) {
        let limits = self.watch.limits.borrow();
        let nodes = limits
            .nodes
            .map(|nodes| nodes.saturating_add(self.hidden()));
        // SAFETY: `self.dd` is a manager.
        unsafe {
            Cudd_SetMaxLive(self.dd, clamp(nodes.unwrap_or(usize::MAX)));
            Cudd_SetMaxMemory(self.dd, limits.memory.unwrap_or(usize::MAX));
        }
    }

    pub fn set_reordering(&mut self, reordering: Reordering) {
        self.watch.reordering.set(reordering);
        // SAFETY: `self.dd` is a manager.
        unsafe { Cudd_SetMaxGrowth(self.dd, reordering.max_growth) };
        self.reorder_at(reordering.first_at);
        self.switch_reordering();
    }

    /// Makes the next reordering due when there are twice as many nodes as given, unless it is
    /// due earlier.
    pub fn expect(&mut self, nodes: usize) {
        let threshold = (2 * nodes).max(self.reordering().first_at);
        // SAFETY: `self.dd` is a manager.
        let current = unsafe { Cudd_ReadNextReordering(self.dd) };
        if clamp(threshold.saturating_add(self.hidden())) < current {
            self.reorder_at(threshold);
        }
    }

    /// How many live nodes call for the next automatic reordering.
    fn reorder_at(&mut self, nodes: usize) {
        let nodes = clamp(nodes.saturating_add(self.hidden())).max(LEAST_THRESHOLD);
        // SAFETY: `self.dd` is a manager.
        unsafe { Cudd_SetNextReordering(self.dd, nodes) };
    }

    /// Switches automatic reordering on or off, as wanted: CUDD switches it off when it is
    /// terminated.
    fn switch_reordering(&mut self) {
        let method = Cudd_ReorderingType::CUDD_REORDER_GROUP_SIFT;
        // SAFETY: `self.dd` is a manager, and no operation is under way.
        unsafe {
            if self.watch.reordering.get().automatic {
                Cudd_AutodynEnable(self.dd, method)
            } else {
                Cudd_AutodynDisable(self.dd)
            }
        }
    }

    pub fn reordering(&self) -> Reordering {
        self.watch.reordering.get()
    }

    pub fn statistics(&self) -> Statistics {
        let dd = self.dd;
        // SAFETY: `dd` is a manager, and these calls only read its counters.
        unsafe {
            Statistics {
                nodes: (Cudd_ReadKeys(dd) as usize).saturating_sub(self.hidden()),
                peak_nodes: Cudd_ReadPeakNodeCount(dd) as usize,
                bytes: Cudd_ReadMemoryInUse(dd),
                collections: Cudd_ReadGarbageCollections(dd) as u64,
                reorderings: Cudd_ReadReorderings(dd) as u64,
                swaps: Cudd_ReadSwapSteps(dd) as u64,
                seconds_reordering: Cudd_ReadReorderingTime(dd) as f64 / 1e3,
                cache_lookups: Cudd_ReadCacheLookUps(dd) as u64,
                work: Cudd_ReadCacheLookUps(dd) as u64,
                cache_hits: Cudd_ReadCacheHits(dd) as u64,
            }
        }
    }

    /// A new variable, below all others.
    pub fn new_variable(&mut self) -> Result<VarIndex, Error> {
        let index = self.groups.len();
        if index >= MAX_VARIABLES {
            return Err(Error::Variables);
        }
        // SAFETY: `self.dd` is a manager; it keeps the node of a literal for ever.
        if unsafe { Cudd_bddNewVar(self.dd) }.is_null() {
            return Err(self.failure());
        }
        self.groups.push(None);
        self.groups_changed |= self.group_count > 0;
        self.tell_limits();
        Ok(index as VarIndex)
    }

    pub fn variable_count(&self) -> usize {
        self.groups.len()
    }

    pub fn level_of(&self, variable: VarIndex) -> usize {
        // SAFETY: `self.dd` is a manager, and it returns -1 for what is not its variable.
        unsafe { Cudd_ReadPerm(self.dd, variable as c_int) as usize }
    }

    pub fn order(&self) -> Vec<VarIndex> {
        let levels = 0..self.variable_count() as c_int;
        // SAFETY: `self.dd` is a manager with this many levels.
        let variable_at = |level| unsafe { Cudd_ReadInvPerm(self.dd, level) as VarIndex };
        levels.map(variable_at).collect()
    }

    pub fn new_substitution(&mut self) -> u32 {
        self.substitutions = self.substitutions.wrapping_add(1);
        self.substitutions
    }

    /// Keeps the edge's nodes until `release` of the slot.
    pub fn protect(&mut self, edge: Edge) -> u32 {
        // SAFETY: the edge is to a node of this manager that is not garbage yet: it is held
        // by another handle, below such a node, or the result of the last operation.
        unsafe { Cudd_Ref(self.pointer(edge)) };
        match self.vacant.pop() {
            Some(slot) => {
                self.slots[slot as usize] = edge;
                slot
            }
            None => {
                self.slots.push(edge);
                self.slots.len() as u32 - 1
            }
        }
    }

    pub fn release(&mut self, slot: u32) {
        let edge = std::mem::replace(&mut self.slots[slot as usize], Edge::ONE);
        // SAFETY: the reference is the one that `protect` added for this slot.
        unsafe { Cudd_RecursiveDeref(self.dd, self.pointer(edge)) };
        self.vacant.push(slot);
    }

    /// The variable, else-child and then-child of an edge to an inner node.
    pub fn expand(&self, edge: Edge) -> (VarIndex, Edge, Edge) {
        let node = self.pointer(edge.regular());
        // SAFETY: the edge is to an inner node that a handle keeps.
        let (index, low, high) = unsafe { (Cudd_NodeReadIndex(node), Cudd_E(node), Cudd_T(node)) };
        (
            index as VarIndex,
            self.edge(low) ^ edge,
            self.edge(high) ^ edge,
        )
    }

    /// The inner nodes below some edges, each once.
    pub fn nodes_below(&self, edges: &[Edge]) -> Vec<Edge> {
        let mut found = Vec::new();
        visit_nodes(self, edges, |edge| found.push(edge));
        found
    }

    // All edges that the operations below are given are held by handles, so they are valid
    // and stay so when CUDD collects garbage or reorders.

    pub fn literal(&mut self, variable: VarIndex) -> Step<Edge> {
        // SAFETY: `self.dd` is a manager that has this variable.
        let node = unsafe { Cudd_bddIthVar(self.dd, variable as c_int) };
        self.result(node)
    }

    pub fn and(&mut self, f: Edge, g: Edge) -> Step<Edge> {
        // SAFETY: handles hold the nodes.
        let node = unsafe { Cudd_bddAnd(self.dd, self.pointer(f), self.pointer(g)) };
        self.result(node)
    }

    pub fn or(&mut self, f: Edge, g: Edge) -> Step<Edge> {
        // SAFETY: handles hold the nodes.
        let node = unsafe { Cudd_bddOr(self.dd, self.pointer(f), self.pointer(g)) };
        self.result(node)
    }

    pub fn xor(&mut self, f: Edge, g: Edge) -> Step<Edge> {
        // SAFETY: handles hold the nodes.
        let node = unsafe { Cudd_bddXor(self.dd, self.pointer(f), self.pointer(g)) };
        self.result(node)
    }

    pub fn ite(&mut self, f: Edge, g: Edge, h: Edge) -> Step<Edge> {
        let (f, g, h) = (self.pointer(f), self.pointer(g), self.pointer(h));
        // SAFETY: handles hold the nodes.
        let node = unsafe { Cudd_bddIte(self.dd, f, g, h) };
        self.result(node)
    }

    /// Whether `f` implies `g`.
    pub fn less_equal(&mut self, f: Edge, g: Edge) -> Step<bool> {
        // SAFETY: handles hold the nodes. This makes no node, so it cannot fail.
        Ok(unsafe { Cudd_bddLeq(self.dd, self.pointer(f), self.pointer(g)) } == 1)
    }

    pub fn exists(&mut self, f: Edge, cube: Edge) -> Step<Edge> {
        // SAFETY: handles hold the nodes.
        let node = unsafe { Cudd_bddExistAbstract(self.dd, self.pointer(f), self.pointer(cube)) };
        self.result(node)
    }

    pub fn and_exists(&mut self, f: Edge, g: Edge, cube: Edge) -> Step<Edge> {
        let (f, g, cube) = (self.pointer(f), self.pointer(g), self.pointer(cube));
        // SAFETY: handles hold the nodes.
        let node = unsafe { Cudd_bddAndAbstract(self.dd, f, g, cube) };
        self.result(node)
    }

    pub fn compose(&mut self, f: Edge, replacements: &Replacements) -> Step<Edge> {
        let images = replacements.images.iter().copied();
        let mut vector: Vec<*mut DdNode> = (0..self.variable_count() as c_int)
            .zip(images.chain(std::iter::repeat(None)))
            .map(|(variable, image)| match image {
                Some(edge) => self.pointer(edge),
                // SAFETY: `self.dd` is a manager that has this variable.
                None => unsafe { Cudd_bddIthVar(self.dd, variable) },
            })
            .collect();
        // SAFETY: handles hold the nodes, also those in the vector, which has one for each
        // variable of the manager.
        let node = unsafe { Cudd_bddVectorCompose(self.dd, self.pointer(f), vector.as_mut_ptr()) };
        self.result(node)
    }

    /// The generalised cofactor of `f`; `care` is not zero.
    pub fn constrain(&mut self, f: Edge, care: Edge) -> Step<Edge> {
        // SAFETY: handles hold the nodes.
        let node = unsafe { Cudd_bddConstrain(self.dd, self.pointer(f), self.pointer(care)) };
        self.result(node)
    }

    /// A function that agrees with `f` on `care`, which is not zero.
    pub fn restrict(&mut self, f: Edge, care: Edge) -> Step<Edge> {
        // SAFETY: handles hold the nodes.
        let node = unsafe { Cudd_bddRestrict(self.dd, self.pointer(f), self.pointer(care)) };
        self.result(node)
    }

    /// Keeps the variables, which must be on neighbouring levels, together from now on.
    pub fn group(&mut self, variables: &[VarIndex]) {
        self.group_count += 1;
        for &variable in variables {
            self.groups[variable as usize] = Some(self.group_count);
        }
        self.groups_changed = true;
    }

    /// Whether the variables include all others of their groups.
    pub fn contains_groups_of(&self, variables: &[VarIndex]) -> bool {
        let affected = |group: &Option<u32>| {
            let mut members = variables.iter().map(|&member| self.groups[member as usize]);
            group.is_some() && members.any(|other| other == *group)
        };
        let mut members = (0..).zip(&self.groups).filter(|(_, group)| affected(group));
        members.all(|(variable, _)| variables.contains(&variable))
    }

    /// Whether an order of all variables leaves each group as it is.
    pub fn keeps_groups(&self, order: &[VarIndex]) -> bool {
        let bonds = |order: &[VarIndex]| {
            let pairs = order.windows(2).filter(|pair| self.bound(pair[0], pair[1]));
            let mut bonds: Vec<[VarIndex; 2]> = pairs.map(|pair| [pair[0], pair[1]]).collect();
            bonds.sort_unstable();
            bonds
        };
        bonds(order) == bonds(&self.order())
    }

    fn bound(&self, a: VarIndex, b: VarIndex) -> bool {
        let group = self.groups[a as usize];
        group.is_some() && group == self.groups[b as usize]
    }

    /// Builds CUDD's tree of groups. A variable that was made after the tree would never
    /// move, so new variables need a new tree.
    fn tell_groups(&mut self) -> Result<(), Error> {
        if !self.groups_changed {
            return Ok(());
        }
        // SAFETY: `self.dd` is a manager; the tree is its own.
        unsafe { Cudd_FreeTree(self.dd) };
        let order = self.order();
        // From the bottom up, because CUDD looks for the place of a group from the top down.
        for group in order.chunk_by(|&a, &b| self.bound(a, b)).rev() {
            if group.len() > 1 {
                let (first, length) = (group[0] as c_uint, group.len() as c_uint);
                // SAFETY: `self.dd` is a manager, and this many variables begin at the level
                // of `first`.
                let node = unsafe { Cudd_MakeTreeNode(self.dd, first, length, MTR_FIXED) };
                if node.is_null() {
                    return Err(Error::Memory);
                }
            }
        }
        self.groups_changed = false;
        Ok(())
    }

    /// Sifts every group once. CUDD does not sift runs of variables.
    pub fn reorder(&mut self, search: Search) -> Result<(), Error> {
        self.begin()?;
        if self.variable_count() == 0 {
            return Ok(());
        }
        let method = match search {
            Search::Joining => Cudd_ReorderingType::CUDD_REORDER_GROUP_SIFT,
            Search::Plain => Cudd_ReorderingType::CUDD_REORDER_SIFT,
            Search::Runs { .. } => return Ok(()),
        };
        // SAFETY: `self.dd` is a manager, and no operation is under way.
        let done = self.with_stack(|kernel| unsafe { Cudd_ReduceHeap(kernel.dd, method, 0) });
        if done == 0 {
            return Err(self.failure());
        }
        // CUDD would put off the next reordering a little with each one on request.
        self.reorder_at(self.reordering().first_at.max(2 * self.usage().nodes));
        self.switch_reordering();
        match self.watch.stopped.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Brings the variables into the given order, which must name each of them once and
    /// keep groups.
    pub fn set_order(&mut self, order: &[VarIndex]) -> Result<(), Error> {
        self.begin()?;
        let mut order: Vec<c_int> = order.iter().map(|&variable| variable as c_int).collect();
        let order = order.as_mut_ptr();
        // SAFETY: `self.dd` is a manager, no operation is under way, and the array names each
        // variable once.
        let done = self.with_stack(|kernel| unsafe { Cudd_ShuffleHeap(kernel.dd, order) });
        if done == 0 {
            return Err(self.failure());
        }
        Ok(())
    }

    /// Frees what no handle needs.
    pub fn collect(&mut self) {
        // SAFETY: `self.dd` is a manager, and no operation is under way.
        unsafe { cuddGarbageCollect(self.dd, 1) };
    }

    pub fn check_consistency(&self) -> Result<(), String> {
        // SAFETY: `self.dd` is a manager, and no operation is under way.
        match unsafe { Cudd_DebugCheck(self.dd) } {
            0 => Ok(()),
            _ => Err("CUDD finds its tables wrong".to_string()),
        }
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // SAFETY: nobody else has the manager; handles are gone, for they keep the kernel.
        unsafe { Cudd_Quit(self.dd) };
    }
}

fn clamp(number: usize) -> c_uint {
    c_uint::try_from(number).unwrap_or(c_uint::MAX)
}
