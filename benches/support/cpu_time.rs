//! The processor time of this process, which other work on the machine hardly changes.

use rustix::time::{ClockId, clock_gettime};

pub fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
