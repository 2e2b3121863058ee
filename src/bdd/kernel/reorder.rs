//! Reordering by sifting [Rud93], of groups of neighbouring variables where there are any
//! [PS95].
//!
//! Levels are swapped in place: a node that depends on both variables changes its
//! variable and its children but not its slot, so every edge keeps its function. For the
//! time of a reordering nodes count their references, so that those that a swap leaves
//! without any are freed at once and the size is exact. Computed results outlive the
//! reordering unless one of their nodes was freed in it.
//!
//! The search of one group ends in a direction when the diagrams have grown too much or
//! when a lower bound shows that it cannot pay any more [DDG00, Som01].
//!
//! Invariant between two swaps: the tables hold a reduced ordered diagram of every root.

use super::Kernel;
use super::cache::operation;
use super::collect::Marks;
use super::fault::Fault;
use super::interact::Interaction;
use super::node::{Edge, FREE, Node, VarIndex};
use crate::bdd::limits::Error;
use std::time::Instant;

/// At most this many groups are sifted in one reordering, the largest first.
const MAX_GROUPS: usize = 1000;
/// A reordering ends after about this many swaps.
const MAX_SWAPS: u64 = 2_000_000;

/// Variables on neighbouring levels that keep their places relative to each other.
struct Block {
    first: usize,
    length: usize,
}

/// What a reordering carries along.
struct Sifting {
    interaction: Interaction,
    /// Slots that were freed, whatever they hold now.
    freed: Marks,
    /// Nodes taken out of their table by the swap that is under way.
    moving: Vec<u32>,
    deadline: Option<Instant>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

impl Kernel {
    /// Keeps the variables, which must be on neighbouring levels, together from now on.
    pub fn group(&mut self, variables: &[VarIndex]) {
        self.group_count += 1;
        for &variable in variables {
            self.groups[variable as usize] = Some(self.group_count);
        }
    }

    /// Whether the variables include all others of their groups.
    pub fn contains_groups_of(&self, variables: &[VarIndex]) -> bool {
        let affected = |group: &Option<u32>| {
            let members = variables.iter().map(|&member| self.groups[member as usize]);
            group.is_some() && members.into_iter().any(|other| other == *group)
        };
        let mut members = (0..).zip(&self.groups).filter(|(_, group)| affected(group));
        members.all(|(variable, _)| variables.contains(&variable))
    }

    /// Whether an order of all variables leaves each group as it is.
    pub fn keeps_groups(&self, order: &[VarIndex]) -> bool {
        let together = |pair: &[VarIndex]| {
            let group = self.groups[pair[0] as usize];
            group.is_some() && group == self.groups[pair[1] as usize]
        };
        let bonds = |order: &[VarIndex]| {
            let mut bonds: Vec<[VarIndex; 2]> = order
                .windows(2)
                .filter(|pair| together(pair))
                .map(|pair| [pair[0], pair[1]])
                .collect();
            bonds.sort_unstable();
            bonds
        };
        bonds(order) == bonds(&self.variable_at)
    }

    /// Sifts every group once, the largest first.
    pub fn reorder(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        let outcome = self.with_reference_counts(|kernel, sifting| {
            sifting.deadline = kernel.reordering.time_limit.map(|limit| start + limit);
            kernel.sift_all(sifting)
        });
        self.statistics.reorderings += 1;
        self.statistics.seconds_reordering += start.elapsed().as_secs_f64();
        self.reorder_at = self.reorder_at.max(2 * self.used);
        self.distance = 0;
        self.schedule_check();
        outcome
    }

    /// Brings the variables into the given order, which must name each of them once.
    pub fn set_order(&mut self, order: &[VarIndex]) -> Result<(), Error> {
        let outcome = self.with_reference_counts(|kernel, sifting| {
            let mut previous = None;
            for (target, &variable) in order.iter().enumerate() {
                // Giving up in the middle of a group would tear it apart.
                let group = kernel.groups[variable as usize];
                if group.is_none() || group != previous {
                    kernel.poll()?;
                }
                previous = group;
                for level in (target..kernel.level_of(variable)).rev() {
                    kernel.swap(sifting, level)?;
                }
            }
            Ok(())
        });
        self.schedule_check();
        outcome
    }

    /// Sets up what swaps rely on, and brings tables and cache back to their usual state.
    fn with_reference_counts(
        &mut self,
        work: impl FnOnce(&mut Kernel, &mut Sifting) -> Result<(), Error>,
    ) -> Result<(), Error> {
        debug_assert!(self.protected.is_empty(), "an operation is under way");
        self.collect();
        for node in &mut self.nodes {
            node.clear_references();
        }
        for index in 0..self.nodes.len() {
            let Node { low, high, .. } = self.nodes[index];
            if self.nodes[index].variable() != FREE {
                self.nodes[low.index()].add_reference();
                self.nodes[high.index()].add_reference();
            }
        }
        for edge in &self.roots.edges {
            self.nodes[edge.index()].add_reference();
        }
        let mut freed = Marks::default();
        freed.reset(self.nodes.len());
        let mut sifting = Sifting {
            interaction: self.interaction(),
            freed,
            moving: Vec::new(),
            deadline: None,
        };
        let outcome = work(self, &mut sifting);
        if !self.has(Fault::StaleCache) {
            self.cache.retain(|index| !sifting.freed.is_set(index));
        }
        // The nearest point of a care set is another one now.
        self.cache.forget(operation::CONSTRAIN);
        outcome
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut previous = None;
        for (level, &variable) in self.variable_at.iter().enumerate() {
            let group = self.groups[variable as usize];
            match blocks.last_mut() {
                Some(block) if group.is_some() && group == previous => block.length += 1,
                _ => blocks.push(Block {
                    first: level,
                    length: 1,
                }),
            }
            previous = group;
        }
        blocks
    }

    fn keys(&self, block: &Block) -> usize {
        let levels = block.first..block.first + block.length;
        levels
            .map(|level| self.subtables[self.variable_at[level] as usize].count)
            .sum()
    }

    fn sift_all(&mut self, sifting: &mut Sifting) -> Result<(), Error> {
        let mut blocks = self.blocks();
        // A block is known by its first variable while positions change.
        let mut queue: Vec<(usize, VarIndex)> = blocks
            .iter()
            .map(|block| (self.keys(block), self.variable_at[block.first]))
            .filter(|&(keys, _)| keys > 0)
            .collect();
        queue.sort_by_key(|&(keys, variable)| (std::cmp::Reverse(keys), variable));
        let swaps_at_start = self.statistics.swaps;
        for (_, variable) in queue.into_iter().take(MAX_GROUPS) {
            if self.statistics.swaps - swaps_at_start > MAX_SWAPS || self.out_of_time(sifting) {
                break;
            }
            let level = self.level_of(variable);
            let position = blocks.partition_point(|block| block.first + block.length <= level);
            self.sift_block(sifting, &mut blocks, position)?;
        }
        Ok(())
    }

    /// Whether this reordering has used up its own time.
    fn out_of_time(&self, sifting: &Sifting) -> bool {
        sifting
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether exchanging two blocks could pass the memory limit.
    fn out_of_memory(&self, upper: &Block) -> bool {
        let most = 2 * self.keys(upper) * size_of::<Node>();
        self.limits
            .memory
            .is_some_and(|limit| self.bytes() + most > limit)
    }

    /// Moves a block to the best position that the search finds.
    fn sift_block(
        &mut self,
        sifting: &mut Sifting,
        blocks: &mut [Block],
        start: usize,
    ) -> Result<(), Error> {
        let last = blocks.len() - 1;
        let mut search = Search {
            position: start,
            best: start,
            best_size: self.used,
        };
        let near_end = if last - start < start {
            Direction::Down
        } else {
            Direction::Up
        };
        for direction in [near_end, near_end.opposite()] {
            // The way back to the start was seen already.
            while search.position != start {
                search.position = self.step(sifting, blocks, search.position, direction)?;
            }
            self.search(sifting, blocks, &mut search, direction)?;
        }
        while search.position != search.best {
            let direction = if search.position < search.best {
                Direction::Down
            } else {
                Direction::Up
            };
            search.position = self.step(sifting, blocks, search.position, direction)?;
        }
        Ok(())
    }

    /// Moves a block in one direction as long as that may still pay.
    fn search(
        &mut self,
        sifting: &mut Sifting,
        blocks: &mut [Block],
        search: &mut Search,
        direction: Direction,
    ) -> Result<(), Error> {
        let meets = |kernel: &Kernel, sifting: &Sifting, a: &Block, b: &Block| {
            let variable = |level: usize| kernel.variable_at[level];
            (a.first..a.first + a.length).any(|i| {
                (b.first..b.first + b.length)
                    .any(|j| sifting.interaction.holds(variable(i), variable(j)))
            })
        };
        let here = &blocks[search.position];
        // What may vanish in the best case: downwards, the nodes of the blocks below that
        // this one meets; upwards, those above, and its own.
        let ahead = match direction {
            Direction::Down => &blocks[search.position + 1..],
            Direction::Up => &blocks[..search.position],
        };
        let mut removable: usize = ahead
            .iter()
            .filter(|block| meets(self, sifting, here, block))
            .map(|block| self.keys(block))
            .sum();
        if direction == Direction::Up {
            removable += self.keys(here);
        }
        let mut floor = self.used - removable;
        loop {
            let neighbour = match direction {
                Direction::Down if search.position + 1 < blocks.len() => search.position + 1,
                Direction::Up if search.position > 0 => search.position - 1,
                _ => return Ok(()),
            };
            let upper = &blocks[search.position.min(neighbour)];
            if floor >= search.best_size || self.out_of_memory(upper) {
                return Ok(());
            }
            self.poll()?;
            let met = meets(self, sifting, &blocks[search.position], &blocks[neighbour]);
            let before = self.keys(&blocks[neighbour]);
            let left_behind = search.position;
            search.position = self.step(sifting, blocks, search.position, direction)?;
            let size = self.used;
            if met {
                match direction {
                    // The neighbour is above now, and the rest of the diagram is as large
                    // as it is.
                    Direction::Down => {
                        removable -= before;
                        floor = size.saturating_sub(removable);
                    }
                    // The neighbour is below now, where nothing changes any more.
                    Direction::Up => floor += self.keys(&blocks[left_behind]),
                }
            }
            if size < search.best_size {
                search.best_size = size;
                search.best = search.position;
            }
            if size as f64 > search.best_size as f64 * self.reordering.max_growth {
                return Ok(());
            }
        }
    }

    /// Exchanges a block with its neighbour; returns the block's new position.
    fn step(
        &mut self,
        sifting: &mut Sifting,
        blocks: &mut [Block],
        position: usize,
        direction: Direction,
    ) -> Result<usize, Error> {
        let (above, target) = match direction {
            Direction::Down => (position, position + 1),
            Direction::Up => (position - 1, position - 1),
        };
        let first = blocks[above].first;
        let (upper, lower) = (blocks[above].length, blocks[above + 1].length);
        for moved in 0..lower {
            for level in (first + moved..first + moved + upper).rev() {
                self.swap(sifting, level)?;
            }
        }
        blocks[above] = Block {
            first,
            length: lower,
        };
        blocks[above + 1] = Block {
            first: first + lower,
            length: upper,
        };
        Ok(target)
    }

    /// Exchanges the variables of a level and the one below it.
    fn swap(&mut self, sifting: &mut Sifting, level: usize) -> Result<(), Error> {
        let (x, y) = (self.variable_at[level], self.variable_at[level + 1]);
        let interacting = sifting.interaction.holds(x, y);
        if interacting {
            // Room for all new nodes first: a swap cannot stop half-way.
            let most = 2 * self.subtables[x as usize].count;
            self.nodes.try_reserve(most).map_err(|_| Error::Memory)?;
        }
        self.statistics.swaps += 1;
        self.variable_at.swap(level, level + 1);
        self.level_of[x as usize] = level as u16 + 1;
        self.level_of[y as usize] = level as u16;
        if !interacting {
            return Ok(());
        }
        let mut moving = std::mem::take(&mut sifting.moving);
        let depends = |nodes: &[Node], node: &Node| {
            nodes[node.high.index()].variable() == y || nodes[node.low.index()].variable() == y
        };
        self.subtables[x as usize].take(&mut self.nodes, depends, &mut moving);
        for &index in &moving {
            self.exchange(sifting, index, x, y);
        }
        moving.clear();
        sifting.moving = moving;
        self.subtables[x as usize].shrink(&mut self.nodes);
        self.subtables[y as usize].shrink(&mut self.nodes);
        Ok(())
    }

    /// Makes a node of `x` with children of `y` one of `y` with children of `x`.
    #[inline(always)]
    fn exchange(&mut self, sifting: &mut Sifting, index: u32, x: VarIndex, y: VarIndex) {
        let Node { low, high, .. } = self.nodes[index as usize];
        let split = |edge: Edge| {
            let node = &self.nodes[edge.index()];
            if node.variable() == y {
                (node.low ^ edge, node.high ^ edge)
            } else {
                (edge, edge)
            }
        };
        let (high_low, high_high) = split(high);
        let (low_low, low_high) = split(low);
        // `high` is regular and so is its then-child: the new then-child needs no complement.
        let new_high = self.node_for_swap(x, low_high, high_high);
        let new_low = self.node_for_swap(x, low_low, high_low);
        self.nodes[new_high.index()].add_reference();
        self.nodes[new_low.index()].add_reference();
        let node = &mut self.nodes[index as usize];
        node.low = new_low;
        node.high = new_high;
        node.set_variable(y);
        self.subtables[y as usize].insert(&mut self.nodes, index);
        for child in [high, low] {
            let unused = self.nodes[child.index()].drop_reference() && !child.is_terminal();
            let early = self.has(Fault::EarlyFree) && self.nodes[child.index()].variable() == y;
            if (unused || early) && !self.has(Fault::NoFree) {
                self.free_in_swap(sifting, child, y);
            }
        }
    }

    #[inline(always)]
    fn node_for_swap(&mut self, x: VarIndex, low: Edge, high: Edge) -> Edge {
        if low == high {
            return low;
        }
        let (low, high, negated) = (low ^ high, high.regular(), high.is_complemented());
        let table = &self.subtables[x as usize];
        let bucket = table.bucket(low, high);
        if let Some(found) = table.find(&self.nodes, bucket, low, high) {
            return Edge::new(found).negate_if(negated);
        }
        let index = match self.free {
            0 => {
                self.nodes.push(Node::new(x, low, high));
                self.nodes.len() as u32 - 1
            }
            _ => self.reuse_slot(Node::new(x, low, high)),
        };
        self.nodes[low.index()].add_reference();
        self.nodes[high.index()].add_reference();
        self.subtables[x as usize].insert(&mut self.nodes, index);
        self.used += 1;
        Edge::new(index).negate_if(negated)
    }

    /// Frees a node of `y` that has lost its last reference. Its children have not: the new
    /// nodes of the swap hold them.
    fn free_in_swap(&mut self, sifting: &mut Sifting, edge: Edge, y: VarIndex) {
        let index = edge.index() as u32;
        let Node { low, high, .. } = self.nodes[index as usize];
        self.subtables[y as usize].remove(&mut self.nodes, index);
        self.nodes[low.index()].drop_reference();
        self.nodes[high.index()].drop_reference();
        self.nodes[index as usize] = Node::new(FREE, Edge::ONE, Edge::ONE);
        self.nodes[index as usize].next = self.free;
        self.free = index;
        self.used -= 1;
        sifting.freed.set(index as usize);
    }
}

/// Where a block is and where it was best.
struct Search {
    position: usize,
    best: usize,
    best_size: usize,
}

impl Direction {
    fn opposite(self) -> Direction {
        match self {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }
}
