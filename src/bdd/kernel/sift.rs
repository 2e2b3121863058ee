//! The search for a better order: sifting [Rud93] of blocks of variables.
//!
//! A block is a group that the user made, or a single variable, or blocks that turned out
//! to belong together on the way [PS95]: neighbours that are symmetric, or whose levels
//! grow ever less, move on as one. Such blocks last for one reordering. A search by runs
//! cuts the order into blocks of equal length instead: where each variable is best at its
//! place among the others, a few that make up one digit of some words, say, may still be
//! better elsewhere together.
//!
//! The search of a block in one direction ends when the diagrams have grown too much or
//! when a lower bound shows that it cannot pay any more [DDG00, Som01]; then the block goes
//! back to where it was best, and the other direction follows.

use super::Kernel;
use super::node::{Node, VarIndex};
use super::reorder::Sifting;
use crate::bdd::limits::{Error, Search};
use std::time::Instant;

/// At most this many blocks are sifted in one reordering, the largest first.
const MAX_BLOCKS: usize = 1000;
/// A reordering ends after about this many swaps.
const MAX_SWAPS: u64 = 2_000_000;

/// Variables on neighbouring levels that keep their places relative to each other.
struct Block {
    first: usize,
    length: usize,
}

impl Block {
    fn end(&self) -> usize {
        self.first + self.length
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

/// One move of the block that is sifted, to be taken back if it did not pay.
enum Action {
    Step(Direction),
    /// The block took in a neighbour; this was the length of the upper of the two, and where
    /// the block stood.
    Merge {
        upper_length: usize,
        position: usize,
    },
}

impl Kernel {
    pub(super) fn sift_all(&mut self, sifting: &mut Sifting) -> Result<(), Error> {
        let joins = sifting.search == Search::Joining;
        let mut blocks = match sifting.search {
            Search::Joining | Search::Plain => self.blocks(),
            Search::Runs { length, offset } => self.runs(length, offset),
        };
        // A block is known by its first variable while positions change.
        let mut queue: Vec<(usize, VarIndex)> = blocks
            .iter()
            .map(|block| (self.keys(block), self.variable_at[block.first]))
            .filter(|&(keys, _)| keys > 0)
            .collect();
        queue.sort_by_key(|&(keys, variable)| (std::cmp::Reverse(keys), variable));
        let mut sifted = vec![false; self.variable_count()];
        let swaps_at_start = self.statistics.swaps;
        for (_, variable) in queue.into_iter().take(MAX_BLOCKS) {
            if self.statistics.swaps - swaps_at_start > MAX_SWAPS || self.out_of_time(sifting) {
                break;
            }
            if sifted[variable as usize] {
                continue;
            }
            let start = self.find(&blocks, variable);
            let mut position = self.sift_block(sifting, &mut blocks, start)?;
            if joins && let Some(merged) = self.aggregate(sifting, &mut blocks, position, &sifted) {
                position = self.sift_block(sifting, &mut blocks, merged)?;
            }
            for level in blocks[position].first..blocks[position].end() {
                sifted[self.variable_at[level] as usize] = true;
            }
        }
        Ok(())
    }

    /// The user's groups, and the other variables one by one.
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

    /// Runs of `length` blocks. Blocks without nodes are carried along and do not count.
    fn runs(&self, length: usize, offset: usize) -> Vec<Block> {
        let mut runs: Vec<Block> = Vec::new();
        let mut remaining = 0;
        for block in self.blocks() {
            let counts = self.keys(&block) > 0;
            match runs.last_mut() {
                Some(run) if remaining > 0 || !counts => run.length += block.length,
                None if offset > 0 => {
                    remaining = offset;
                    runs.push(block);
                }
                _ => {
                    remaining = length;
                    runs.push(block);
                }
            }
            remaining -= counts as usize;
        }
        runs
    }

    /// The position of the block that a variable is in.
    fn find(&self, blocks: &[Block], variable: VarIndex) -> usize {
        let level = self.level_of(variable);
        blocks.partition_point(|block| block.end() <= level)
    }

    fn keys(&self, block: &Block) -> usize {
        let levels = block.first..block.end();
        levels.map(|level| self.level_size(level)).sum()
    }

    fn level_size(&self, level: usize) -> usize {
        self.subtables[self.variable_at[level] as usize].count
    }

    /// Whether this reordering has used up its own time.
    fn out_of_time(&self, sifting: &Sifting) -> bool {
        sifting
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether exchanging two blocks could pass the memory limit.
    fn out_of_memory(&self, upper: &Block) -> bool {
        // A new node takes a slot and up to two buckets.
        let each = size_of::<Node>() + 2 * size_of::<u32>();
        let most = 2 * self.keys(upper) * each;
        self.limits
            .memory
            .is_some_and(|limit| self.bytes() + most > limit)
    }

    /// Moves a block to the best position that the search finds; returns where it is then.
    fn sift_block(
        &mut self,
        sifting: &mut Sifting,
        blocks: &mut Vec<Block>,
        mut position: usize,
    ) -> Result<usize, Error> {
        let near_end = if blocks.len() - 1 - position < position {
            Direction::Down
        } else {
            Direction::Up
        };
        for direction in [near_end, near_end.opposite()] {
            position = self.search(sifting, blocks, position, direction)?;
        }
        Ok(position)
    }

    /// Moves a block in one direction as long as that may still pay, and back to where it
    /// was best.
    fn search(
        &mut self,
        sifting: &mut Sifting,
        blocks: &mut Vec<Block>,
        mut position: usize,
        direction: Direction,
    ) -> Result<usize, Error> {
        let joins = sifting.search == Search::Joining;
        let mut actions = Vec::new();
        let mut best_actions = 0;
        let mut best_size = self.used;
        let (mut removable, mut floor) = self.bound(sifting, blocks, position, direction);
        loop {
            let neighbour = match direction {
                Direction::Down if position + 1 < blocks.len() => position + 1,
                Direction::Up if position > 0 => position - 1,
                _ => break,
            };
            let upper = position.min(neighbour);
            if joins && self.are_symmetric(sifting, blocks[upper].end() - 1) {
                let upper_length = blocks[upper].length;
                actions.push(Action::Merge {
                    upper_length,
                    position,
                });
                blocks[upper].length += blocks[upper + 1].length;
                blocks.remove(upper + 1);
                position = upper;
                if self.used == best_size {
                    best_actions = actions.len();
                }
                (removable, floor) = self.bound(sifting, blocks, position, direction);
                continue;
            }
            if floor >= best_size || self.out_of_memory(&blocks[upper]) {
                break;
            }
            self.poll()?;
            let met = self.meet(sifting, &blocks[position], &blocks[neighbour]);
            let before = self.keys(&blocks[neighbour]);
            let left_behind = position;
            position = self.step(sifting, blocks, position, direction)?;
            actions.push(Action::Step(direction));
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
            if size <= best_size {
                best_size = size;
                best_actions = actions.len();
            }
            if size as f64 > best_size as f64 * self.reordering.max_growth {
                break;
            }
        }
        self.undo(
            sifting,
            blocks,
            position,
            actions.drain(best_actions..).rev(),
        )
    }

    /// Takes back what was done, the last action first; returns where the block is then.
    fn undo(
        &mut self,
        sifting: &mut Sifting,
        blocks: &mut Vec<Block>,
        mut position: usize,
        actions: impl Iterator<Item = Action>,
    ) -> Result<usize, Error> {
        for action in actions {
            match action {
                Action::Step(direction) => {
                    position = self.step(sifting, blocks, position, direction.opposite())?;
                }
                Action::Merge {
                    upper_length,
                    position: before,
                } => {
                    let merged = &mut blocks[position];
                    let first = merged.first + upper_length;
                    let length = merged.length - upper_length;
                    merged.length = upper_length;
                    blocks.insert(position + 1, Block { first, length });
                    position = before;
                }
            }
        }
        Ok(position)
    }

    /// How many nodes may vanish at the most when a block moves in one direction, and how
    /// many are left then: downwards, the nodes of the blocks below that it meets may
    /// vanish; upwards, those above, and its own.
    fn bound(
        &self,
        sifting: &Sifting,
        blocks: &[Block],
        position: usize,
        direction: Direction,
    ) -> (usize, usize) {
        let here = &blocks[position];
        let ahead = match direction {
            Direction::Down => &blocks[position + 1..],
            Direction::Up => &blocks[..position],
        };
        let met = ahead.iter().filter(|block| self.meet(sifting, here, block));
        let mut removable: usize = met.map(|block| self.keys(block)).sum();
        if direction == Direction::Up {
            removable += self.keys(here);
        }
        (removable, self.used - removable)
    }

    /// Whether some variable of the one interacts with some variable of the other.
    fn meet(&self, sifting: &Sifting, one: &Block, other: &Block) -> bool {
        (one.first..one.end()).any(|i| {
            (other.first..other.end()).any(|j| {
                sifting
                    .interaction
                    .holds(self.variable_at[i], self.variable_at[j])
            })
        })
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

    /// Joins a single variable that was just sifted with a neighbour that was not, if the
    /// levels grow less there than before: then the two want to stay together. Returns the
    /// position of the new block.
    fn aggregate(
        &self,
        sifting: &Sifting,
        blocks: &mut Vec<Block>,
        position: usize,
        sifted: &[bool],
    ) -> Option<usize> {
        let single = |position: usize| {
            let block = blocks.get(position)?;
            (block.length == 1).then_some(block.first)
        };
        let level = single(position)?;
        let fresh = |level: &usize| !sifted[self.variable_at[*level] as usize];
        let below = single(position + 1).filter(fresh);
        let above = position.checked_sub(1).and_then(single).filter(fresh);
        let upper = if below.is_some() && self.grows_less(sifting, level) {
            position
        } else if above.is_some() && self.grows_less(sifting, level - 1) {
            position - 1
        } else {
            return None;
        };
        blocks[upper].length += 1;
        blocks.remove(upper + 1);
        Some(upper)
    }

    /// Whether the growth from this level to the next one is less than that to this level.
    fn grows_less(&self, sifting: &Sifting, level: usize) -> bool {
        if level == 0
            || !sifting
                .interaction
                .holds(self.variable_at[level], self.variable_at[level + 1])
        {
            return false;
        }
        let [before, here, after] =
            [level - 1, level, level + 1].map(|level| self.level_size(level) as f64);
        after / here < here / before
    }
}

impl Direction {
    fn opposite(self) -> Direction {
        match self {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }
}
