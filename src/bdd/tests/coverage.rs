//! What random programs have met on their way.

use std::ops::AddAssign;

/// What programs have met, and how often.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coverage([u64; Event::ALL.len()]);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    NodeLimit,
    MemoryLimit,
    Deadline,
    Interrupt,
    /// Reorderings that operations began by themselves.
    AutomaticReordering,
    /// Collections that operations began by themselves.
    CollectionInside,
    Group,
    /// Checks after events that could have torn groups apart.
    GroupCheck,
}

impl Event {
    const ALL: [Event; 8] = [
        Event::NodeLimit,
        Event::MemoryLimit,
        Event::Deadline,
        Event::Interrupt,
        Event::AutomaticReordering,
        Event::CollectionInside,
        Event::Group,
        Event::GroupCheck,
    ];
}

impl Coverage {
    pub fn add(&mut self, event: Event, times: u64) {
        self.0[event as usize] += times;
    }

    pub fn missing(&self) -> Vec<Event> {
        let all = Event::ALL.into_iter();
        all.filter(|&event| self.0[event as usize] == 0).collect()
    }
}

impl AddAssign for Coverage {
    fn add_assign(&mut self, other: Coverage) {
        for event in Event::ALL {
            self.add(event, other.0[event as usize]);
        }
    }
}
