//! Invariants clause by clause: IC3 [Bra11], as property directed reachability [EMB11].
//!
//! Frames over-approximate the states that 0, 1, 2, ... steps reach. A state of the last
//! frame from which a bad step is possible is a proof obligation: it is blocked by a clause
//! that is inductive relative to the frame before, or has a predecessor there, which is an
//! obligation in turn. Clauses that hold in the next frame, too, move there; if all clauses of
//! a frame do, those after it are an invariant.
//!
//! Ours has one solver for each frame, which knows only the gates that its queries need;
//! obligations shrink to cubes by justification (`lift`), clauses by cores and by dropping
//! literals, with counterexamples to generalisation blocked first (`generalize`, [HBS13]);
//! several bad literals share the frames; and clauses that are known to hold in all states of
//! runs, from proofs about other literals, hold in all frames. It can stop at any query and go
//! on from there.
//!
//! Kept true: cubes of a frame have no initial state, and each frame's cubes are blocked in
//! all frames before it, the initial one aside. What was learnt from outside is an invariant
//! on its own, and becomes a part of each invariant that is found.

mod frame;
mod generalize;
mod initial;
mod lift;
mod restrict;

use super::circuit::Circuit;
use super::{InputRun, Stopped};
use crate::design::{Literal, NodeId};
use crate::sat::Meter;
pub use frame::Cube;
use frame::{Frame, Relative};
use initial::InitialStates;
use lift::Lifting;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

pub struct Ic3 {
    circuit: Rc<Circuit>,
    meter: Rc<Meter>,
    frames: Vec<Frame>,
    initial: InitialStates,
    obligations: Vec<Obligation>,
    /// By frame, then by distance from the bad step, then by age.
    queue: BinaryHeap<Reverse<(usize, usize, usize)>>,
    lifting: Lifting,
    /// How often the literals of a latch were in clauses lately.
    activity: Vec<f64>,
    /// A frame was begun, and clauses were not yet moved to it.
    is_moving: bool,
    /// Cubes without a state of any run, from other proofs.
    excluded: Vec<Cube>,
}

/// A cube from which a bad step is reached by known inputs.
struct Obligation {
    cube: Cube,
    depth: usize,
    /// The inputs that lead to the next obligation, or make the bad step.
    inputs: Vec<NodeId>,
    then: Next,
}

#[derive(Clone, Copy)]
enum Next {
    /// Another obligation.
    Obligation(usize),
    /// The bad step, with the index of the literal.
    Bad(usize),
}

/// What was found.
pub enum Found {
    /// No run reaches a state in one of these cubes, nor a bad step that was asked about.
    Invariant(Vec<Cube>),
    /// A run to a bad step, perhaps not the shortest.
    Violation(usize, InputRun),
}

impl Ic3 {
    pub fn new(circuit: Rc<Circuit>, meter: Rc<Meter>) -> Ic3 {
        let frame = |is_initial| Frame::new(circuit.clone(), meter.clone(), is_initial);
        Ic3 {
            frames: vec![frame(true), frame(false)],
            initial: InitialStates::new(circuit.clone(), meter.clone()),
            obligations: Vec::new(),
            queue: BinaryHeap::new(),
            lifting: Lifting::default(),
            activity: vec![0.0; circuit.latches().len()],
            is_moving: false,
            excluded: Vec::new(),
            circuit,
            meter,
        }
    }

    /// Takes over cubes that another proof has found to have no state of any run. All cubes of
    /// that proof are needed, so that their negations are an invariant without the frames.
    pub fn learn(&mut self, cubes: &[Cube]) {
        for cube in cubes {
            if self.excluded.contains(cube) {
                continue;
            }
            for frame in &mut self.frames {
                frame.block(cube);
            }
            self.excluded.push(cube.clone());
        }
    }

    /// The number of the last frame: so many steps are known to be safe.
    pub fn depth(&self) -> usize {
        self.frames.len() - 1
    }

    /// Goes on until something is found about the open bad literals. No initial state may
    /// have a bad step: bounded model checking sees to that.
    pub fn search(&mut self, open: &[usize]) -> Result<Found, Stopped> {
        // What was about a literal that is decided meanwhile need not be blocked.
        let still_open = |obligation: usize| open.contains(&self.bad_of(obligation));
        let queue = self.queue.iter().copied();
        self.queue = queue.filter(|Reverse((.., id))| still_open(*id)).collect();
        loop {
            while let Some(Reverse((frame, _, id))) = self.queue.peek().copied() {
                if let Some(run) = self.block(id, frame)? {
                    return Ok(Found::Violation(self.bad_of(id), run));
                }
            }
            if self.is_moving {
                if let Some(mut cubes) = self.move_clauses()? {
                    cubes.extend(self.excluded.iter().cloned());
                    return Ok(Found::Invariant(cubes));
                }
                self.is_moving = false;
            }
            if !self.find_obligation(open)? {
                let mut frame = Frame::new(self.circuit.clone(), self.meter.clone(), false);
                for cube in &self.excluded {
                    frame.block(cube);
                }
                self.frames.push(frame);
                self.obligations.clear();
                self.is_moving = true;
            }
        }
    }

    fn bad_of(&self, mut id: usize) -> usize {
        loop {
            match self.obligations[id].then {
                Next::Obligation(next) => id = next,
                Next::Bad(index) => return index,
            }
        }
    }

    /// A state of the last frame with a bad step becomes an obligation; false if there is
    /// none.
    fn find_obligation(&mut self, open: &[usize]) -> Result<bool, Stopped> {
        let top = self.depth();
        for &index in open {
            let bad = self.circuit.bad[index];
            self.renew(top);
            if self.frames[top].can_hold(bad)? {
                let (cube, inputs) = self.lifted(top, &[bad]);
                self.add_obligation(cube, inputs, Next::Bad(index), top);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn add_obligation(&mut self, cube: Cube, inputs: Vec<NodeId>, then: Next, frame: usize) {
        let depth = match then {
            Next::Obligation(next) => self.obligations[next].depth + 1,
            Next::Bad(_) => 0,
        };
        let id = self.obligations.len();
        self.obligations.push(Obligation {
            cube,
            depth,
            inputs,
            then,
        });
        self.queue.push(Reverse((frame, depth, id)));
    }

    /// Blocks the cube of the first obligation in its frame, or adds a predecessor as an
    /// obligation. Gives back a run if the bad step can be reached.
    fn block(&mut self, id: usize, frame: usize) -> Result<Option<InputRun>, Stopped> {
        let cube = self.obligations[id].cube.clone();
        if self.initial.intersect(&cube)? {
            let initial = self.initial.choose(&cube);
            return Ok(Some(self.run(&initial, None, id)));
        }
        if self.is_blocked(&cube, frame) {
            self.queue.pop();
            self.postpone(id, frame + 1);
            return Ok(None);
        }
        match self.relative(&cube, frame - 1)? {
            Relative::Blocked(core) => {
                let core = self.outside_initial(core, &cube)?;
                let cube = self.generalize(core, frame, 0)?;
                let frame = self.add_blocked(cube, frame)?;
                self.queue.pop();
                self.postpone(id, frame + 1);
            }
            Relative::Reached => {
                let next = cube.iter().map(|literal| self.circuit.next(*literal));
                let next: Vec<Literal> = next.collect();
                if frame == 1 {
                    let initial = self.initial_state();
                    let inputs = self.inputs(0);
                    return Ok(Some(self.run(&initial, Some(inputs), id)));
                }
                let (cube, inputs) = self.lifted(frame - 1, &next);
                self.add_obligation(cube, inputs, Next::Obligation(id), frame - 1);
            }
        }
        Ok(None)
    }

    /// An obligation that was blocked is one of the next frame, too: longer runs are found so.
    fn postpone(&mut self, id: usize, frame: usize) {
        if frame <= self.depth() {
            let depth = self.obligations[id].depth;
            self.queue.push(Reverse((frame, depth, id)));
        }
    }

    /// Whether one clause of a frame excludes all of a cube.
    fn is_blocked(&self, cube: &[Literal], frame: usize) -> bool {
        let mut later = self.frames[frame..].iter();
        later.any(|frame| frame.cubes.iter().any(|known| is_subset(known, cube)))
    }

    fn relative(&mut self, cube: &[Literal], frame: usize) -> Result<Relative, Stopped> {
        self.renew(frame);
        self.frames[frame].reaches(cube)
    }

    fn renew(&mut self, frame: usize) {
        if self.frames[frame].needs_renewal() {
            let (before, after) = self.frames.split_at_mut(frame + 1);
            let own = std::mem::take(&mut before[frame].cubes);
            let later = after.iter().flat_map(|frame| &frame.cubes);
            let known = own.iter().chain(later).chain(&self.excluded);
            before[frame].renew(known);
            before[frame].cubes = own;
        }
    }

    /// Part of a cube that has no initial state, with the core in it.
    fn outside_initial(&mut self, core: Cube, cube: &[Literal]) -> Result<Cube, Stopped> {
        if !self.initial.intersect(&core)? {
            return Ok(core);
        }
        let mut excluding = cube
            .iter()
            .filter(|literal| self.initial.excludes(**literal));
        let best = excluding.by_ref().max_by(|left, right| {
            let activity = |literal: &Literal| self.activity_of(*literal);
            activity(left).total_cmp(&activity(right))
        });
        Ok(match best {
            Some(literal) => {
                let mut core = core;
                core.push(*literal);
                core.sort_unstable();
                core
            }
            None => cube.to_vec(),
        })
    }

    /// Adds a cube that is blocked in a frame, and in as many more as it is. Gives back the
    /// last of them.
    fn add_blocked(&mut self, cube: Cube, frame: usize) -> Result<usize, Stopped> {
        let (mut cube, mut frame) = (cube, frame);
        let mut stopped = None;
        while frame < self.depth() {
            match self.relative(&cube, frame) {
                Ok(Relative::Blocked(core)) => {
                    cube = self.outside_initial(core, &cube)?;
                    frame += 1;
                }
                Ok(Relative::Reached) => break,
                Err(error) => {
                    stopped = Some(error);
                    break;
                }
            }
        }
        self.insert(cube, frame);
        stopped.map_or(Ok(frame), Err)
    }

    fn insert(&mut self, cube: Cube, frame: usize) {
        for literal in &cube {
            if let Some(index) = self.circuit.latch_index(literal.node()) {
                self.activity[index] += 1.0;
            }
        }
        for index in 1..=frame {
            self.frames[index].block(&cube);
            let is_new = |known: &Cube| !is_subset(&cube, known);
            self.frames[index].cubes.retain(is_new);
        }
        self.frames[frame].cubes.push(cube);
    }

    /// Moves clauses to later frames; gives back an invariant if a frame loses all of its own.
    fn move_clauses(&mut self) -> Result<Option<Vec<Cube>>, Stopped> {
        for activity in &mut self.activity {
            *activity *= 0.9;
        }
        for frame in 1..self.depth() {
            let mut cubes = self.frames[frame].cubes.clone();
            cubes.sort_by_key(Vec::len);
            for cube in cubes {
                // Another one may have taken its place meanwhile.
                if !self.frames[frame].cubes.contains(&cube) {
                    continue;
                }
                if let Relative::Blocked(core) = self.relative(&cube, frame)? {
                    let cube = self.outside_initial(core, &cube)?;
                    self.insert(cube, frame + 1);
                }
            }
            if self.frames[frame].cubes.is_empty() {
                let later = self.frames[frame + 1..].iter();
                let cubes = later.flat_map(|frame| frame.cubes.iter().cloned());
                return Ok(Some(cubes.collect()));
            }
        }
        Ok(None)
    }

    /// The state of the step that a frame's solver has found, as far as the targets and the
    /// constraint need it, and the inputs of the step.
    fn lifted(&mut self, frame: usize, targets: &[Literal]) -> (Cube, Vec<NodeId>) {
        let mut targets = targets.to_vec();
        targets.push(self.circuit.constraint);
        let solved = &self.frames[frame];
        let value = |id: NodeId| solved.value(id);
        let (cube, visited) = self.lifting.lift(&self.circuit, &targets, value);
        self.meter.spend(visited as u64 / 4);
        (cube, self.inputs(frame))
    }

    fn inputs(&self, frame: usize) -> Vec<NodeId> {
        let inputs = self.circuit.inputs().iter().enumerate();
        let is_one = |index: usize| {
            let id = self.circuit.input_literal(index).node();
            self.frames[frame].value(id)
        };
        let ones = inputs.filter(|(index, _)| is_one(*index));
        ones.map(|(_, origin)| *origin).collect()
    }

    /// The latches that are 1 in the initial state that the first solver has found.
    fn initial_state(&self) -> Vec<Literal> {
        let indices = 0..self.circuit.latches().len();
        let latches = indices.map(|index| self.circuit.latch_literal(index));
        let is_one = |literal: &Literal| self.frames[0].value(literal.node());
        latches.filter(is_one).collect()
    }

    /// The run from an initial state, given by the latches that are 1, through an obligation
    /// to its bad step. `first` are the inputs of a step before the obligation.
    fn run(&self, initial: &[Literal], first: Option<Vec<NodeId>>, id: usize) -> InputRun {
        let origins = initial.iter().map(|literal| self.circuit.origin(*literal));
        let mut run = InputRun {
            initial: origins.map(|literal| literal.node()).collect(),
            steps: first.into_iter().collect(),
        };
        let mut id = id;
        loop {
            run.steps.push(self.obligations[id].inputs.clone());
            match self.obligations[id].then {
                Next::Obligation(next) => id = next,
                Next::Bad(_) => return run,
            }
        }
    }

    /// How many clauses the frames have together.
    pub fn clauses(&self) -> usize {
        let cubes = self.frames.iter().map(|frame| frame.cubes.len());
        cubes.sum()
    }

    fn activity_of(&self, literal: Literal) -> f64 {
        let index = self.circuit.latch_index(literal.node());
        index.map_or(0.0, |index| self.activity[index])
    }
}

/// Whether all literals of a sorted cube are in another one.
fn is_subset(part: &[Literal], whole: &[Literal]) -> bool {
    if part.len() > whole.len() {
        return false;
    }
    let mut rest = whole.iter();
    part.iter()
        .all(|literal| rest.by_ref().any(|other| other == literal))
}
