//! Variables by activity: a heap in which each one knows its position.

const NONE: u32 = u32::MAX;
const LARGE: f64 = 1e100;
const DECAY: f64 = 0.95;

pub struct Order {
    heap: Vec<u32>,
    positions: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
}

impl Order {
    pub fn new() -> Order {
        Order {
            heap: Vec::new(),
            positions: Vec::new(),
            activity: Vec::new(),
            increment: 1.0,
        }
    }

    pub fn add_variable(&mut self) {
        self.positions.push(NONE);
        self.activity.push(0.0);
    }

    pub fn clear(&mut self) {
        for variable in self.heap.drain(..) {
            self.positions[variable as usize] = NONE;
        }
    }

    pub fn insert(&mut self, variable: u32) {
        if self.positions[variable as usize] == NONE {
            let position = self.heap.len();
            self.heap.push(variable);
            self.positions[variable as usize] = position as u32;
            self.rise(position);
        }
    }

    /// Takes the most active one out.
    pub fn take(&mut self) -> Option<u32> {
        let first = *self.heap.first()?;
        self.positions[first as usize] = NONE;
        let last = self.heap.pop()?;
        if last != first {
            self.heap[0] = last;
            self.positions[last as usize] = 0;
            self.sink(0);
        }
        Some(first)
    }

    pub fn bump(&mut self, variable: u32) {
        let index = variable as usize;
        self.activity[index] += self.increment;
        if self.activity[index] > LARGE {
            for activity in &mut self.activity {
                *activity /= LARGE;
            }
            self.increment /= LARGE;
        }
        if self.positions[index] != NONE {
            self.rise(self.positions[index] as usize);
        }
    }

    pub fn decay(&mut self) {
        self.increment /= DECAY;
    }

    fn is_before(&self, left: u32, right: u32) -> bool {
        self.activity[left as usize] > self.activity[right as usize]
    }

    fn rise(&mut self, position: usize) {
        let mut position = position;
        let variable = self.heap[position];
        while position > 0 {
            let above = (position - 1) / 2;
            let other = self.heap[above];
            if !self.is_before(variable, other) {
                break;
            }
            self.heap[position] = other;
            self.positions[other as usize] = position as u32;
            position = above;
        }
        self.heap[position] = variable;
        self.positions[variable as usize] = position as u32;
    }

    fn sink(&mut self, position: usize) {
        let mut position = position;
        let variable = self.heap[position];
        loop {
            let left = 2 * position + 1;
            let Some(&left_variable) = self.heap.get(left) else {
                break;
            };
            let (mut below, mut other) = (left, left_variable);
            if let Some(&right_variable) = self.heap.get(left + 1)
                && self.is_before(right_variable, left_variable)
            {
                (below, other) = (left + 1, right_variable);
            }
            if !self.is_before(other, variable) {
                break;
            }
            self.heap[position] = other;
            self.positions[other as usize] = position as u32;
            position = below;
        }
        self.heap[position] = variable;
        self.positions[variable as usize] = position as u32;
    }
}
