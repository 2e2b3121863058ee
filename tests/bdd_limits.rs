//! A large manager meets its limits over and over. In a process of its own, whose memory
//! can be measured; the tests look at one run.

use respin::bdd::{Bdd, Error, Limits, Manager, Reordering, Variable};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

const ITERATIONS: usize = 1_000;
/// When memory use is first measured: by then all tables have their size.
const SETTLED: usize = 100;
/// The inner product of two words of this width, one below the other, has about 2^18 nodes.
const WIDTH: usize = 17;
/// As many such products, which share little, make the manager large.
const PRODUCTS: usize = 8;

struct Run {
    nodes_at_start: usize,
    /// How often each limit ended an operation.
    deadlines: usize,
    node_limits: usize,
    memory_limits: usize,
    resident_when_settled: usize,
    resident_at_end: usize,
    /// The most bytes that the manager had under a memory limit, and the limit.
    most_bytes: usize,
    memory_limit: usize,
    functions_are_intact: bool,
    consistency: Result<(), String>,
}

static RUN: LazyLock<Run> = LazyLock::new(run);

/// `x1 & y1 ^ ... ^ xn & yn`, with the ys taken in steps of `step`.
fn product(manager: &Manager, xs: &[Variable], ys: &[Variable], step: usize) -> Bdd {
    (0..WIDTH).fold(manager.zero(), |sum, index| {
        let x = manager.literal(xs[index]).unwrap();
        let y = manager.literal(ys[index * step % WIDTH]).unwrap();
        sum.xor(&x.and(&y).unwrap()).unwrap()
    })
}

/// Memory that this process has, in bytes.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages = statm.split_whitespace().nth(1).expect("two columns");
    4096 * pages.parse::<usize>().expect("a number")
}

fn run() -> Run {
    let manager = Manager::new();
    manager.set_reordering(Reordering {
        automatic: false,
        ..Reordering::default()
    });
    let xs = manager.new_variables(WIDTH).unwrap();
    let ys = manager.new_variables(WIDTH).unwrap();
    let products: Vec<Bdd> = (1..=PRODUCTS)
        .map(|step| product(&manager, &xs, &ys, step))
        .collect();
    manager.collect_garbage();
    let at_start = manager.statistics();
    let mut run = Run {
        nodes_at_start: at_start.nodes,
        deadlines: 0,
        node_limits: 0,
        memory_limits: 0,
        resident_when_settled: 0,
        resident_at_end: 0,
        most_bytes: 0,
        memory_limit: at_start.bytes + 300_000,
        functions_are_intact: false,
        consistency: Ok(()),
    };
    for iteration in 0..ITERATIONS {
        let mut limits = Limits {
            memory: Some(run.memory_limit),
            ..Limits::default()
        };
        // The first two take a collection of the whole manager, which is slow.
        match iteration % 16 {
            0 => limits.nodes = Some(at_start.nodes + 10_000),
            1 => {}
            _ => limits.deadline = Some(Instant::now() + Duration::from_millis(1)),
        }
        manager.set_limits(limits);
        // Each of these has millions of nodes.
        let [f, g, h] = [0, 1, 3].map(|offset| &products[(iteration + offset) % PRODUCTS]);
        match f.ite(g, h) {
            Err(Error::Deadline) => run.deadlines += 1,
            Err(Error::Nodes) => run.node_limits += 1,
            Err(Error::Memory) => run.memory_limits += 1,
            _ => {}
        }
        run.most_bytes = run.most_bytes.max(manager.statistics().bytes);
        if iteration + 1 == SETTLED {
            run.resident_when_settled = resident();
        }
    }
    run.resident_at_end = resident();
    manager.set_limits(Limits::default());
    // For each x but 0, half of all y give an odd product.
    let odd = 2f64.powi(WIDTH as i32 - 1) * (2f64.powi(WIDTH as i32) - 1.0);
    run.functions_are_intact = products.iter().all(|f| f.count(2 * WIDTH) == odd);
    run.consistency = manager.check_consistency();
    run
}

#[test]
fn the_manager_is_large() {
    assert!(
        RUN.nodes_at_start >= 1_000_000,
        "{} nodes",
        RUN.nodes_at_start
    );
}

#[test]
fn a_thousand_limits_are_met() {
    assert_eq!(
        RUN.deadlines + RUN.node_limits + RUN.memory_limits,
        ITERATIONS
    );
}

#[test]
fn each_limit_is_met_many_times() {
    let fewest = RUN.deadlines.min(RUN.node_limits).min(RUN.memory_limits);
    assert!(
        fewest >= 50,
        "{} {} {}",
        RUN.deadlines,
        RUN.node_limits,
        RUN.memory_limits
    );
}

#[test]
fn memory_stays_flat() {
    let (early, late) = (RUN.resident_when_settled, RUN.resident_at_end);
    assert!(
        late <= early + early / 20,
        "{early} bytes, then {late}, {} nodes",
        RUN.nodes_at_start
    );
}

#[test]
fn a_memory_limit_is_kept() {
    // Tables that find nodes may pass it a little.
    let most = RUN.memory_limit + RUN.memory_limit / 32;
    assert!(RUN.most_bytes <= most, "{} bytes of {most}", RUN.most_bytes);
}

#[test]
fn functions_stay_what_they_are() {
    assert!(RUN.functions_are_intact);
}

#[test]
fn the_data_structure_stays_consistent() {
    assert_eq!(RUN.consistency, Ok(()));
}
