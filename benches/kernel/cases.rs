//! The cases. Each has a twin of the same name in `benches/compare/cudd_cases.py`, which
//! declares the same variables in the same order and does the same operations in the same
//! sequence: change both or neither.

use crate::diagrams::{Diagrams, Function};
use crate::words::{
    Latches, add, any_of, at_most_one, equal, equal_to, greatest, increment, least, less, moved,
    reach, select,
};
use respin::bdd::Variable;

/// A name, the size unless it is given, and what to compute.
pub type Case = (&'static str, usize, fn(&Diagrams, usize) -> Vec<Function>);

pub const CASES: [Case; 12] = [
    ("queens", 9, queens),
    ("multiplier", 11, multiplier),
    ("hidden_weighted_bit", 44, hidden_weighted_bit),
    ("adder", 200, adder),
    ("sorted_words", 64, sorted_words),
    ("counters", 5, counters),
    ("shift_register", 6, shift_register),
    ("round_robin", 20, round_robin),
    ("safety_relation", 12, safety_relation),
    ("safety_compose", 12, safety_compose),
    ("cinderella", 5, cinderella),
    ("gr1_robot", 3, gr1_robot),
];

// Functions.

/// All ways to place `size` queens that do not attack each other.
fn queens(d: &Diagrams, size: usize) -> Vec<Function> {
    let board: Vec<Vec<Function>> = (0..size).map(|_| d.literals(&d.variables(size))).collect();
    let mut result = d.one();
    for row in &board {
        result = result & any_of(d, row);
    }
    for i in 0..size {
        for j in 0..size {
            let mut attacked = Vec::new();
            for (k, row) in board.iter().enumerate() {
                for (l, square) in row.iter().enumerate() {
                    let diagonal = k.abs_diff(i) == l.abs_diff(j);
                    if (k, l) != (i, j) && (k == i || l == j || diagonal) {
                        attacked.push(square);
                    }
                }
            }
            result = result & (!&board[i][j] | !any_of(d, attacked));
        }
    }
    vec![result]
}

/// The two middle bits of a product.
fn multiplier(d: &Diagrams, size: usize) -> Vec<Function> {
    let a = d.literals(&d.variables(size));
    let b = d.literals(&d.variables(size));
    let mut total: Vec<Function> = (0..2 * size).map(|_| d.zero()).collect();
    for i in 0..size {
        let mut carry = d.zero();
        for j in 0..size + 1 - i {
            let partial = if j < size { &a[j] & &b[i] } else { d.zero() };
            let half = &partial ^ &total[i + j];
            let both = partial & &total[i + j];
            total[i + j] = &half ^ &carry;
            carry = both | (half & carry);
        }
    }
    vec![total[size - 1].clone(), total[size].clone()]
}

/// The bit whose number is how many bits are set.
fn hidden_weighted_bit(d: &Diagrams, size: usize) -> Vec<Function> {
    let bits = d.literals(&d.variables(size));
    let mut weight: Vec<Function> = (0..=size).map(|_| d.zero()).collect();
    weight[0] = d.one();
    for (seen, bit) in bits.iter().enumerate() {
        for count in (1..=seen + 1).rev() {
            weight[count] = bit.ite(&weight[count - 1], &weight[count]);
        }
        weight[0] = &weight[0] & !bit;
    }
    let chosen: Vec<Function> = bits
        .iter()
        .enumerate()
        .map(|(count, bit)| &weight[count + 1] & bit)
        .collect();
    vec![any_of(d, &chosen)]
}

// Orders that only sifting mends.

/// All bits of a sum, with all bits of one word above all bits of the other.
fn adder(d: &Diagrams, size: usize) -> Vec<Function> {
    let a = d.literals(&d.variables(size));
    let b = d.literals(&d.variables(size));
    let mut carry = d.zero();
    let mut result = Vec::new();
    for (x, y) in a.iter().zip(&b) {
        result.push(x ^ y ^ &carry);
        carry = (x & y) | (carry & (x | y));
    }
    result.push(carry);
    result
}

/// Whether five words ascend, with the bits of each word together.
fn sorted_words(d: &Diagrams, size: usize) -> Vec<Function> {
    let words: Vec<Vec<Function>> = (0..5).map(|_| d.literals(&d.variables(size))).collect();
    let mut result = d.one();
    for pair in words.windows(2) {
        result = result & less(d, &pair[0], &pair[1]);
    }
    vec![result]
}

// Reachability.

/// Five counters of `size` bits in a ring; each may step while it is not ahead of the next.
fn counters(d: &Diagrams, size: usize) -> Vec<Function> {
    let count = 5;
    let inputs = d.variables(count);
    let latches = Latches::new(d, count * size);
    latches.group(d);
    let now = d.literals(&latches.now);
    let words: Vec<&[Function]> = now.chunks(size).collect();
    let mut following = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let ahead = less(d, words[(i + 1) % count], word);
        following.extend(increment(word, d.literal(inputs[i]) & !ahead));
    }
    let relation = latches.relation(d, &following);
    let initial = equal_to(d, &now, 0);
    vec![reach(d, &latches, initial, &relation, &inputs)]
}

/// `size` words of four bits; a word enters unless the register holds it.
fn shift_register(d: &Diagrams, size: usize) -> Vec<Function> {
    let width = 4;
    let inputs = d.variables(width);
    let latches = Latches::new(d, width * size);
    latches.group(d);
    let now = d.literals(&latches.now);
    let word = d.literals(&inputs);
    let mut words: Vec<&[Function]> = now.chunks(width).collect();
    let held: Vec<Function> = words.iter().map(|other| equal(d, &word, other)).collect();
    let fresh = !any_of(d, &held);
    words.insert(0, &word);
    let mut following = Vec::new();
    for pair in words.windows(2) {
        following.extend(select(&fresh, pair[0], pair[1]));
    }
    let relation = latches.relation(d, &following);
    let initial = equal_to(d, &now, 0);
    vec![reach(d, &latches, initial, &relation, &inputs)]
}

/// An arbiter whose token, one-hot, goes past the client that was served.
fn round_robin(d: &Diagrams, size: usize) -> Vec<Function> {
    let inputs = d.variables(size);
    let latches = Latches::new(d, 3 * size);
    latches.group(d);
    let now = d.literals(&latches.now);
    let (token, rest) = now.split_at(size);
    let (request, grant) = rest.split_at(size);
    // The first request from the token on is served.
    let mut chosen: Vec<Function> = (0..size).map(|_| d.zero()).collect();
    for (start, here) in token.iter().enumerate() {
        let mut free = here.clone();
        for offset in 0..size {
            let client = (start + offset) % size;
            chosen[client] = &chosen[client] | (&free & &request[client]);
            free = free & !&request[client];
        }
    }
    let idle = !any_of(d, request);
    let mut following = Vec::new();
    for i in 0..size {
        following.push(idle.ite(&token[i], &chosen[(i + size - 1) % size]));
    }
    for i in 0..size {
        let waits = &request[i] & !&chosen[i];
        following.push(waits | (d.literal(inputs[i]) & !&grant[i]));
    }
    following.extend(chosen);
    let relation = latches.relation(d, &following);
    let initial = &token[0] & equal_to(d, &now[1..], 0);
    vec![reach(d, &latches, initial, &relation, &inputs)]
}

// Games: the environment moves first, the system answers.

/// Clients wait until they are served; who waits too long is lost.
struct Service {
    environment: Vec<Variable>,
    system: Vec<Variable>,
    latches: Latches,
    /// The next waiting times.
    following: Vec<Function>,
    /// Where nobody is lost.
    safe: Function,
}

fn service(d: &Diagrams, size: usize) -> Service {
    let width = 4;
    let environment = d.variables(size);
    let system = d.variables(size);
    let latches = Latches::new(d, width * size);
    latches.group(d);
    let now = d.literals(&latches.now);
    let mut following = Vec::new();
    let mut safe = d.one();
    for (i, word) in now.chunks(width).enumerate() {
        let waits = d.literal(environment[i]) | !equal_to(d, word, 0);
        let served = d.literal(system[i]);
        following.extend(increment(word, waits).iter().map(|bit| bit & !&served));
        safe = safe & !equal_to(d, word, size + 1 + i % 2);
    }
    Service {
        environment,
        system,
        latches,
        following,
        safe,
    }
}

/// The states from which one server keeps all clients, by a transition relation.
fn safety_relation(d: &Diagrams, size: usize) -> Vec<Function> {
    let game = service(d, size);
    let relation =
        game.latches.relation(d, &game.following) & at_most_one(d, &d.literals(&game.system));
    let to_next = game.latches.to_next(d);
    let quantified = d.set(&[game.latches.then, game.system].concat());
    let environment = d.set(&game.environment);
    vec![greatest(d, |target| {
        let allowed = relation.and_exists(&target.compose(&to_next), &quantified);
        &game.safe & allowed.forall(&environment)
    })]
}

/// The same game, by composition of next-state functions.
fn safety_compose(d: &Diagrams, size: usize) -> Vec<Function> {
    let game = service(d, size);
    let legal = at_most_one(d, &d.literals(&game.system));
    let substitution = d.substitution(&game.latches.now, &game.following);
    let (environment, system) = (d.set(&game.environment), d.set(&game.system));
    vec![greatest(d, |target| {
        let allowed = target.compose(&substitution).and_exists(&legal, &system);
        &game.safe & allowed.forall(&environment)
    })]
}

/// Five buckets in a ring, with levels of `size` bits. The environment pours half a
/// bucket, spread as it likes; the system empties two neighbours. No bucket may overflow.
/// By composition.
fn cinderella(d: &Diagrams, size: usize) -> Vec<Function> {
    let count = 5;
    let environment = d.variables(count * (size - 1));
    let system = d.variables(count);
    let latches = Latches::new(d, count * size);
    latches.group(d);
    let now = d.literals(&latches.now);
    let poured = d.literals(&environment);
    let choice = d.literals(&system);
    let mut total = vec![d.zero(); size + 2];
    let mut following = Vec::new();
    let mut legal = at_most_one(d, &choice);
    for (i, amount) in poured.chunks(size - 1).enumerate() {
        total = add(d, &total, amount).0;
        let (level, overflow) = add(d, &now[size * i..size * (i + 1)], amount);
        let emptied = &choice[i] | &choice[(i + count - 1) % count];
        following.extend(level.iter().map(|bit| bit & !&emptied));
        legal = legal & !overflow;
    }
    let fair = equal_to(d, &total, 1 << (size - 1));
    let substitution = d.substitution(&latches.now, &following);
    let (environment, system) = (d.set(&environment), d.set(&system));
    vec![greatest(d, |target| {
        let allowed = target.compose(&substitution).and_exists(&legal, &system);
        allowed.or_forall(&!&fair, &environment)
    })]
}

/// A generalised reactivity game of rank one.
struct Gr1 {
    environment: Latches,
    system: Latches,
    assumptions: Vec<Function>,
    guarantees: Vec<Function>,
    rho_e: Function,
    rho_s: Function,
}

/// The winning states.
fn gr1(d: &Diagrams, game: &Gr1) -> Vec<Function> {
    let to_next = d.renaming(
        &[&game.environment.now[..], &game.system.now].concat(),
        &[&game.environment.then[..], &game.system.then].concat(),
    );
    let (environment, system) = (d.set(&game.environment.then), d.set(&game.system.then));
    let controllable = |target: &Function| {
        let answer = game.rho_s.and_exists(&target.compose(&to_next), &system);
        answer.or_forall(&!&game.rho_e, &environment)
    };
    vec![greatest(d, |z| {
        let mut z = z.clone();
        for guarantee in &game.guarantees {
            let at_goal = guarantee & controllable(&z);
            z = least(d, |y| {
                let start = &at_goal | controllable(y);
                let mut result = d.zero();
                for assumption in &game.assumptions {
                    result = result | greatest(d, |x| &start | (!assumption & controllable(x)));
                }
                result
            });
        }
        z
    })]
}

/// A robot on a square grid visits three of its edges again and again, and must not meet
/// two others, which move along the axes and leave the corner at times.
fn gr1_robot(d: &Diagrams, size: usize) -> Vec<Function> {
    let environment = Latches::new(d, 4 * size);
    let system = Latches::new(d, 2 * size);
    environment.group(d);
    system.group(d);
    let (e, e2) = (d.literals(&environment.now), d.literals(&environment.then));
    let (s, s2) = (d.literals(&system.now), d.literals(&system.then));
    let (sx, sy) = s.split_at(size);
    let (sx2, sy2) = s2.split_at(size);
    let mut rho_e = d.one();
    let mut rho_s = moved(d, sx, sx2) & moved(d, sy, sy2);
    let mut assumptions = Vec::new();
    for (place, place2) in e.chunks(2 * size).zip(e2.chunks(2 * size)) {
        let (ex, ey) = place.split_at(size);
        let (ex2, ey2) = place2.split_at(size);
        rho_e = rho_e & moved(d, ex, ex2) & moved(d, ey, ey2);
        rho_e = rho_e & (equal(d, ex, ex2) | equal(d, ey, ey2));
        // Neither at the same place, nor exchanging places.
        rho_s = rho_s & !(equal(d, sx2, ex2) & equal(d, sy2, ey2));
        rho_s = rho_s & !(equal(d, sx2, ex) & equal(d, sy2, ey));
        assumptions.push(!(equal_to(d, ex, 0) & equal_to(d, ey, 0)));
    }
    let last = (1 << size) - 1;
    let guarantees = vec![
        equal_to(d, sx, 0),
        equal_to(d, sx, last),
        equal_to(d, sy, last),
    ];
    gr1(
        d,
        &Gr1 {
            environment,
            system,
            assumptions,
            guarantees,
            rho_e,
            rho_s,
        },
    )
}
