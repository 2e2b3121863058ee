//! Reduced ordered binary decision diagrams with complement edges, in one arena.
//!
//! A node is 16 bytes and is found through the unique table of its variable. Functions
//! that are still needed are known in three ways: handles hold [roots](Roots), running
//! operations push intermediate results on a [protection stack](Kernel::protected), and
//! [`Kernel::make_node`] protects its own arguments. Everything else is garbage, which
//! [`collect`](Kernel::collect) finds by marking, also in the middle of an operation,
//! because nodes never move. A reordering may come there too, and then fits the order to
//! the intermediate results as well; but the recursion cannot go on with levels that have
//! changed, so it unwinds with [`Stop::Restart`] and [`Kernel::run`] starts it again. What is
//! still in the computed table is not computed twice.
//!
//! The representation follows [BRB90] (see `docs/references.md`); nodes are not reference
//! counted, except while a reordering runs.

mod apply;
mod cache;
mod collect;
mod compose;
mod consistency;
mod fault;
mod interact;
mod minimize;
mod node;
mod quantify;
mod reorder;
mod sift;
mod swap;
mod symmetry;
mod unique;

use super::limits::{Error, Limits, Reordering, Search};
use crate::stack;
use cache::Cache;
pub(super) use compose::Replacements;
pub(super) use fault::Fault;
pub(super) use node::{Edge, MAX_VARIABLES, VarIndex};
use node::{FREE, MAX_SLOTS, Node, RESERVED, TERMINAL};
use std::cell::RefCell;
use unique::Subtable;

/// Why a recursion unwinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The order of variables has changed: to begin again.
    Restart,
    Limit(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Limit(error)
    }
}

pub(super) type Step<T> = Result<T, Stop>;

/// Recursive calls between two looks at the clock: some tens of microseconds.
const PATIENCE: u32 = 4096;
/// No collection below this many nodes.
const FIRST_COLLECTION: usize = 1 << 20;
/// Nodes that swaps may look at before reorderings have to be earned by other work: a
/// few seconds.
const FREE_SWAP_WORK: u64 = 30_000_000;
/// A reordering may take more than the work that is left, by this factor at most as far as that
/// can be told: whoever shares work in turns has to wait for its end.
const OVERDRAFT: u64 = 2;
const LARGEST_CACHE: usize = 1 << 26;

pub(super) struct Kernel {
    nodes: Vec<Node>,
    /// First slot of the free list.
    free: u32,
    /// Nodes in the unique tables, garbage included.
    used: usize,
    /// When `used` reaches this, [`Kernel::make_room`] is called.
    check_at: usize,
    subtables: Vec<Subtable>,
    level_of: Box<[u16; 1 << 16]>,
    variable_at: Vec<VarIndex>,
    cache: Cache,
    roots: Roots,
    /// Results that a running operation still needs.
    protected: Vec<Edge>,
    composed: compose::Composed,
    marks: collect::Marks,
    /// Of walks; there are none between two of them.
    seen: RefCell<collect::Marks>,
    limits: Limits,
    patience: u32,
    reordering: Reordering,
    /// How many live nodes call for the next automatic reordering.
    reorder_at: usize,
    /// How many nodes swaps have looked at.
    swap_work: u64,
    /// How much of it was counted as work of the whole run.
    counted_swap_work: u64,
    /// Swap work for each node in the last reordering, if there was one.
    sifting_rate: Option<u64>,
    /// How many new nodes after the last collection call for a look at that threshold.
    distance: usize,
    /// The group of each variable; groups move as one.
    groups: Vec<Option<u32>>,
    group_count: u32,
    substitutions: u32,
    statistics: Statistics,
    #[cfg(test)]
    fault: Option<Fault>,
}

/// What a manager has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Nodes in the tables, garbage included.
    pub nodes: usize,
    /// The most nodes that were in the tables at once.
    pub peak_nodes: usize,
    /// Bytes of nodes, tables and caches.
    pub bytes: usize,
    pub collections: u64,
    pub reorderings: u64,
    pub swaps: u64,
    pub seconds_reordering: f64,
    pub cache_lookups: u64,
    /// Look-ups of the computed table, and what reorderings took in place of such.
    pub work: u64,
    pub cache_hits: u64,
}

/// The functions that handles hold. A slot is one handle, so nothing has to be counted.
#[derive(Default)]
struct Roots {
    edges: Vec<Edge>,
    vacant: Vec<u32>,
}

impl Kernel {
    pub fn new() -> Kernel {
        let mut nodes = vec![Node::new(FREE, Edge::ONE, Edge::ONE); RESERVED as usize];
        nodes[0] = Node::new(TERMINAL, Edge::ONE, Edge::ONE);
        let reordering = Reordering::default();
        Kernel {
            nodes,
            free: 0,
            used: 0,
            check_at: reordering.first_at,
            subtables: Vec::new(),
            level_of: Box::new([u16::MAX; 1 << 16]),
            variable_at: Vec::new(),
            cache: Cache::new(),
            roots: Roots::default(),
            protected: Vec::new(),
            composed: compose::Composed::default(),
            marks: collect::Marks::default(),
            seen: RefCell::default(),
            limits: Limits::default(),
            patience: PATIENCE,
            reordering,
            reorder_at: reordering.first_at,
            swap_work: 0,
            counted_swap_work: 0,
            sifting_rate: None,
            distance: 0,
            groups: Vec::new(),
            group_count: 0,
            substitutions: 0,
            statistics: Statistics::default(),
            #[cfg(test)]
            fault: None,
        }
    }

    /// Runs one operation, as often as reorderings interrupt it.
    pub fn run<T>(
        &mut self,
        mut operation: impl FnMut(&mut Kernel) -> Step<T>,
    ) -> Result<T, Error> {
        let mut restarts = 0;
        loop {
            let depth = self.protected.len();
            let threshold = self.reorder_at;
            let outcome = self.with_stack(&mut operation);
            self.protected.truncate(depth);
            match outcome {
                Err(Stop::Restart) => {
                    restarts += 1;
                    // What stopped it once may have been the order. After that it needs the
                    // room, and would never end below a threshold that does not grow.
                    if restarts > 1 {
                        self.reorder_at = self.reorder_at.max(threshold + threshold / 2 + 1);
                    }
                }
                Err(Stop::Limit(error)) => {
                    self.composed.clear();
                    return Err(error);
                }
                Ok(value) => {
                    self.composed.clear();
                    return Ok(value);
                }
            }
        }
    }

    /// Reorders, and decides how large the diagrams have to be for the next time.
    fn reorder_automatically(&mut self) -> Result<(), Error> {
        let (before, swap_work) = (self.used, self.swap_work);
        self.reorder(Search::Joining)?;
        let rate = (self.swap_work - swap_work) / (before as u64).max(1);
        self.sifting_rate = Some(rate);
        let affordable = self.can_afford_reordering();
        // Below the first threshold operations are quick in any order, and a good order of
        // what they begin with is not one of what they come to.
        let grown = (2 * self.used).max(self.reordering.first_at);
        self.reorder_at = if affordable || self.used <= before / 4 {
            grown
        } else {
            // Otherwise the threshold grows even if the diagrams did not: the operation that
            // met it begins again, and could meet it again and again.
            grown.max(self.reorder_at + self.reorder_at / 2 + 1)
        };
        self.schedule_check();
        Ok(())
    }

    /// What was done so far: moving two nodes takes about as long as a look-up.
    fn work(&self) -> u64 {
        self.cache.lookups + self.swap_work / 2
    }

    /// Whether the work that is left is far too little for a reordering.
    fn has_to_wait_for_reordering(&self) -> bool {
        // Each variable goes through about half of the levels.
        let rate = self
            .sifting_rate
            .unwrap_or(self.variable_count() as u64 / 2);
        let expected = (self.used as u64).saturating_mul(rate) / 2;
        self.limits.work.is_some_and(|limit| {
            let left = limit.saturating_sub(self.work());
            expected > left.saturating_mul(OVERDRAFT)
        })
    }

    /// Whether reorderings have taken less than operations.
    fn can_afford_reordering(&self) -> bool {
        self.swap_work <= FREE_SWAP_WORK + 2 * self.cache.lookups
    }

    /// Makes the next reordering due when there are twice as many nodes as given, unless it is
    /// due earlier or reorderings have taken too much already. Whether it is due is looked at
    /// when the tables are full, as always.
    pub fn expect(&mut self, nodes: usize) {
        if self.can_afford_reordering() {
            let threshold = (2 * nodes).max(self.reordering.first_at);
            self.reorder_at = self.reorder_at.min(threshold);
        }
    }

    /// Recursion is as deep as there are variables: few fit any stack, many get their own.
    fn with_stack<T>(&mut self, operation: &mut impl FnMut(&mut Kernel) -> Step<T>) -> Step<T> {
        const PER_LEVEL: usize = 1024;
        const ALWAYS_FITS: usize = 512;
        let levels = self.variable_at.len();
        if levels <= ALWAYS_FITS {
            return operation(self);
        }
        let size = levels * PER_LEVEL;
        stack::with_bytes(size, || operation(self))
    }

    pub fn set_limits(&mut self, limits: Limits) {
        // Not sooner than needed: in a large manager, a check is a collection.
        self.check_at = self.check_at.min(limits.nodes.unwrap_or(usize::MAX));
        self.limits = limits;
        self.patience = 1;
    }

    pub fn set_reordering(&mut self, reordering: Reordering) {
        self.reordering = reordering;
        self.reorder_at = reordering.first_at;
        self.check_at = self.check_at.min(self.reorder_at);
    }

    pub fn reordering(&self) -> Reordering {
        self.reordering
    }

    pub fn statistics(&self) -> Statistics {
        Statistics {
            nodes: self.used,
            peak_nodes: self.statistics.peak_nodes.max(self.used),
            bytes: self.bytes(),
            cache_lookups: self.cache.lookups,
            work: self.work(),
            cache_hits: self.cache.hits,
            ..self.statistics
        }
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.subtables.iter().map(Subtable::bytes).sum::<usize>()
            + self.cache.bytes()
            + self.marks.bytes()
            + self.seen.borrow().bytes()
            + self.composed.capacity() * size_of::<(Edge, Edge)>()
            + self.roots.edges.capacity() * size_of::<Edge>()
    }

    /// A new variable, below all others.
    pub fn new_variable(&mut self) -> Result<VarIndex, Error> {
        let index = self.subtables.len();
        if index >= MAX_VARIABLES {
            return Err(Error::Variables);
        }
        self.level_of[index] = self.variable_at.len() as u16;
        self.variable_at.push(index as VarIndex);
        self.subtables.push(Subtable::new());
        self.groups.push(None);
        Ok(index as VarIndex)
    }

    pub fn variable_count(&self) -> usize {
        self.subtables.len()
    }

    pub fn level_of(&self, variable: VarIndex) -> usize {
        self.level_of[variable as usize] as usize
    }

    pub fn order(&self) -> &[VarIndex] {
        &self.variable_at
    }

    pub fn new_substitution(&mut self) -> u32 {
        // Numbers name entries of the computed table: none may be used twice.
        if self.substitutions == u32::MAX {
            self.cache.clear();
            self.substitutions = 0;
        }
        self.substitutions += 1;
        self.substitutions
    }

    /// The functions that handles or the running operation need.
    fn needed(&self) -> impl Iterator<Item = Edge> + '_ {
        let protected: &[Edge] = if self.has(Fault::ForgottenProtection) {
            &[]
        } else {
            &self.protected
        };
        let known = self
            .roots
            .edges
            .iter()
            .chain(protected)
            .chain(self.composed.values());
        known.copied()
    }

    /// Keeps the edge's nodes until `release` of the slot.
    pub fn protect(&mut self, edge: Edge) -> u32 {
        match self.roots.vacant.pop() {
            Some(slot) => {
                self.roots.edges[slot as usize] = edge;
                slot
            }
            None => {
                self.roots.edges.push(edge);
                self.roots.edges.len() as u32 - 1
            }
        }
    }

    pub fn release(&mut self, slot: u32) {
        self.roots.edges[slot as usize] = Edge::ONE;
        self.roots.vacant.push(slot);
    }

    /// The variable, else-child and then-child of an edge to an inner node.
    pub fn expand(&self, edge: Edge) -> (VarIndex, Edge, Edge) {
        let node = &self.nodes[edge.index()];
        (node.variable(), node.low ^ edge, node.high ^ edge)
    }

    #[inline(always)]
    fn level(&self, edge: Edge) -> u16 {
        self.level_of[self.nodes[edge.index()].variable() as usize]
    }

    /// The cofactors of an edge with respect to the variable at `level`, which is not below it.
    #[inline(always)]
    fn cofactors(&self, edge: Edge, level: u16) -> (Edge, Edge) {
        let node = &self.nodes[edge.index()];
        if self.level_of[node.variable() as usize] == level {
            (node.low ^ edge, node.high ^ edge)
        } else {
            (edge, edge)
        }
    }

    pub fn literal(&mut self, variable: VarIndex) -> Step<Edge> {
        self.make_node(variable, Edge::ZERO, Edge::ONE)
    }

    /// The node of these children, which may be complemented and may be equal.
    #[inline(always)]
    fn make_node(&mut self, variable: VarIndex, low: Edge, high: Edge) -> Step<Edge> {
        if low == high {
            return Ok(low);
        }
        let (low, high, negated) = (low ^ high, high.regular(), high.is_complemented());
        let table = &self.subtables[variable as usize];
        let bucket = table.bucket(low, high);
        if let Some(found) = table.find(&self.nodes, bucket, low, high) {
            return Ok(Edge::new(found).negate_if(negated));
        }
        self.insert_node(variable, low, high)
            .map(|edge| edge.negate_if(negated))
    }

    #[inline(never)]
    fn insert_node(&mut self, variable: VarIndex, low: Edge, high: Edge) -> Step<Edge> {
        if self.used >= self.check_at {
            self.make_room(low, high)?;
        }
        let wrong = self.has(Fault::WrongComplement) && self.used % 32 == 31;
        let node = Node::new(variable, low.negate_if(wrong), high);
        let index = match self.new_slot(node) {
            Ok(index) => index,
            // At the limit of memory there may be garbage left to use.
            Err(error) => {
                self.collect_during(low, high);
                let spare = self.nodes.capacity() - RESERVED as usize - self.used;
                if spare < self.worthwhile() {
                    return Err(error.into());
                }
                self.new_slot(node)?
            }
        };
        if self.subtables[variable as usize].is_crowded() {
            self.grow_table(variable);
        }
        self.subtables[variable as usize].insert(&mut self.nodes, index);
        self.used += 1;
        Ok(Edge::new(index))
    }

    #[inline(always)]
    fn new_slot(&mut self, node: Node) -> Result<u32, Error> {
        if self.free != 0 {
            return Ok(self.reuse_slot(node));
        }
        if self.nodes.len() == self.nodes.capacity() {
            self.grow()?;
        }
        self.nodes.push(node);
        Ok(self.nodes.len() as u32 - 1)
    }

    /// Fills the first slot of the free list, which must not be empty.
    #[inline(always)]
    fn reuse_slot(&mut self, node: Node) -> u32 {
        let index = self.free;
        let slot = &mut self.nodes[index as usize];
        self.free = slot.next;
        *slot = node;
        index
    }

    /// Makes the lists of a unique table short again. At the memory limit they may become
    /// four nodes long; longer ones would cost more time than the little memory is worth.
    #[cold]
    fn grow_table(&mut self, variable: VarIndex) {
        let table = &self.subtables[variable as usize];
        let urgent = table.count * size_of::<u32>() >= 4 * table.bytes();
        let fits = |limit: usize| self.bytes() + table.bytes() <= limit;
        if urgent || self.limits.memory.is_none_or(fits) {
            self.subtables[variable as usize].grow(&mut self.nodes);
        }
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Error> {
        let length = self.nodes.len();
        // Half as much again: doubling would pass a memory limit that still has room.
        let more = (length / 2).max(1 << 10).min(MAX_SLOTS - length);
        // With buckets for them.
        let each = size_of::<Node>() + 2 * size_of::<u32>();
        let more = match self.limits.memory {
            Some(limit) => more.min(limit.saturating_sub(self.bytes()) / each),
            None => more,
        };
        if more == 0 || self.nodes.try_reserve_exact(more).is_err() {
            return Err(Error::Memory);
        }
        Ok(())
    }

    /// Called when the tables have grown to `check_at`: collects garbage, asks for a
    /// reordering, or reports a limit, and decides when to be called again.
    #[cold]
    fn make_room(&mut self, low: Edge, high: Edge) -> Step<()> {
        self.poll()?;
        let due = self.reordering.automatic && self.used >= self.reorder_at;
        let at_limit = self.limits.nodes.is_some_and(|limit| self.used >= limit);
        if due || at_limit || self.used >= FIRST_COLLECTION {
            self.collect_during(low, high);
        }
        if self.reordering.automatic && self.used >= self.reorder_at && self.used > 0 {
            if self.has_to_wait_for_reordering() {
                self.patience = 1;
                return Err(Error::Effort.into());
            }
            self.protected.push(low);
            self.protected.push(high);
            self.reorder_automatically()?;
            return Err(Stop::Restart);
        }
        if self
            .limits
            .nodes
            .is_some_and(|limit| self.used + self.worthwhile() > limit)
        {
            return Err(Error::Nodes.into());
        }
        self.schedule_check();
        self.fit_cache();
        Ok(())
    }

    /// A collection at a limit that gains fewer nodes than this is the last one: the next
    /// would come at once.
    fn worthwhile(&self) -> usize {
        self.used / 16 + 1
    }

    /// Collects in the middle of an operation that also needs these two.
    fn collect_during(&mut self, low: Edge, high: Edge) {
        self.protected.push(low);
        self.protected.push(high);
        self.collect();
        self.protected.truncate(self.protected.len() - 2);
    }

    /// Collections are worth their time when the tables have doubled. A reordering is due
    /// by live nodes, which only a collection can tell from garbage: so one is made near the
    /// threshold, and ever more rarely there while it finds that the nodes were garbage.
    fn schedule_check(&mut self) {
        let live = self.used;
        let mut at = (2 * live).max(FIRST_COLLECTION);
        if self.reordering.automatic {
            self.distance = (2 * self.distance).min(8 * self.reorder_at).max(live / 4);
            at = at.min(self.reorder_at.max(live + self.distance));
        }
        if let Some(limit) = self.limits.nodes {
            at = at.min(limit);
        }
        self.check_at = at.max(live + 1);
    }

    /// One entry of the computed table for each node that the tables may hold before the
    /// next check, memory permitting.
    fn fit_cache(&mut self) {
        let wanted = self.check_at.next_power_of_two().min(LARGEST_CACHE);
        let capacity = self.cache.capacity();
        if wanted <= capacity {
            return;
        }
        let more = (wanted - capacity) * (self.cache.bytes() / capacity);
        let fits = |limit: usize| self.bytes() + 2 * more <= limit;
        if self.limits.memory.is_none_or(fits) {
            self.cache.resize(wanted);
        }
    }

    /// Counts recursive calls, and looks at the clock now and then.
    #[inline(always)]
    fn tick(&mut self) -> Step<()> {
        self.watch_depth();
        self.patience -= 1;
        if self.patience == 0 {
            self.poll()?;
        }
        Ok(())
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Error> {
        self.patience = PATIENCE;
        self.statistics.peak_nodes = self.statistics.peak_nodes.max(self.used);
        let (lookups, work) = (self.cache.lookups, self.work());
        if self.limits.lookups.is_some_and(|limit| lookups >= limit)
            || self.limits.work.is_some_and(|limit| work >= limit)
        {
            self.patience = 1;
            return Err(Error::Effort);
        }
        self.poll_clock()
    }

    /// Counts swaps like operations, which check once in so many steps: a check in the middle of
    /// a reordering of large diagrams stands for far more.
    fn count_swaps(&mut self) {
        let new = (self.swap_work - self.counted_swap_work) / 2 / u64::from(PATIENCE);
        if let (Some(run), 1..) = (&self.limits.run, new) {
            run.count(new);
            self.counted_swap_work += new * 2 * u64::from(PATIENCE);
        }
    }

    /// The same without a look at how much work was done: a reordering that is ended early
    /// has to be done again, so work that is shared by turns would be wasted.
    fn poll_clock(&mut self) -> Result<(), Error> {
        self.count_swaps();
        let checked = self.limits.check();
        if checked.is_err() {
            self.patience = 1;
        }
        checked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits;

    /// The swaps of a reordering and as many steps of an operation are as much work.
    #[test]
    fn swaps_are_counted_like_operations() {
        let run = limits::Limits::default();
        let mut kernel = Kernel::new();
        kernel.limits = run.for_diagrams();
        let (steps, checks) = (10 * u64::from(PATIENCE), || run.work_done());
        kernel.swap_work = 2 * steps;
        assert_eq!(kernel.work(), steps);
        let before = checks();
        kernel.poll_clock().expect("no limit");
        let first = checks();
        assert_eq!(first - before, 10 + 1);
        kernel.poll_clock().expect("no limit");
        assert_eq!(checks() - first, 1);
    }
}
