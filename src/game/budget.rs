//! Node budgets: how much a search may cost whose result is useful but not necessary.

use crate::bdd::{Error, Limits, Manager, Result};
use std::time::Duration;

/// How much a search may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// How many nodes it may add to those that there are.
    pub nodes: usize,
    /// In processor time, so that what is found does not depend on who else is busy.
    pub time: Option<Duration>,
    /// How much work of the manager it may take, reorderings included.
    pub work: Option<u64>,
}

impl Budget {
    pub const fn of_nodes(nodes: usize) -> Budget {
        Budget {
            nodes,
            time: None,
            work: None,
        }
    }

    /// What a search finds; `None` if it finds nothing or exceeds the budget. `limits` are
    /// those that hold before and afterwards; exceeding the time that they give is an error.
    pub fn search<T>(
        &self,
        manager: &Manager,
        limits: &Limits,
        search: impl FnOnce() -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let statistics = manager.statistics();
        let nodes = statistics.nodes + self.nodes;
        let own_work = self.work.map(|work| statistics.work.saturating_add(work));
        let work = match (limits.work, own_work) {
            (Some(most), Some(own)) => Some(most.min(own)),
            (most, own) => most.or(own),
        };
        let limited = match self.time {
            Some(time) => limits.within_processor_time(time),
            None => limits.clone(),
        };
        manager.set_limits(Limits {
            nodes: Some(limits.nodes.map_or(nodes, |own| own.min(nodes))),
            work,
            ..limited
        });
        let found = search();
        manager.set_limits(limits.clone());
        match found {
            Err(Error::Effort) if own_work.is_none() => Err(Error::Effort),
            Err(Error::Nodes | Error::Deadline | Error::Effort) => limits.check().map(|()| None),
            found => found,
        }
    }
}
