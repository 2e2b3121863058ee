//! Circuits of the usual kinds, each with a model of what it should do. The model belongs to
//! the property, so no correction touches or reads it.

use respin::design::aiger::{AigerFile, Signal};
use respin::design::words::{self, Bits};
use respin::design::{Design, InputKind, Literal, NodeId, Reset};
use respin::source::Sources;
use respin::spec::Spec;

pub struct Circuit {
    pub name: String,
    pub file: AigerFile,
    /// In a property file's words; nothing if the file itself says it all.
    pub properties: Option<String>,
}

impl Circuit {
    fn new(name: String, design: Design, bad: Literal) -> Circuit {
        let mut file = AigerFile::from_design(design, &[]).expect("no properties yet");
        file.bad.push(Signal {
            name: Some("bad".to_string()),
            literal: bad,
            span: None,
        });
        Circuit {
            name,
            file,
            properties: None,
        }
    }

    /// The specification of a file of this circuit.
    pub fn spec(&self, file: &AigerFile) -> Spec {
        let mut spec = Spec::new();
        spec.add_items(&file.properties()).expect("well-formed");
        if let Some(text) = &self.properties {
            let id = Sources::new().add("properties", text.clone());
            spec.add_property_file(id, text).expect("well-formed");
        }
        spec
    }
}

pub fn all() -> Vec<Circuit> {
    let mut all = Vec::new();
    all.extend([11, 12, 13, 14].map(gray_counter));
    all.extend([16, 32].map(feedback_register));
    all.extend([8, 10, 12].map(occupancy));
    all.extend([8, 10, 12].map(accumulator));
    all.extend([4, 5].map(multiplier));
    all.extend([16, 32, 48].map(arbiter));
    all
}

fn input(design: &mut Design, name: &str) -> Literal {
    let id = design.add_input(InputKind::Environment);
    design.set_name(id, name);
    id.literal()
}

fn inputs(design: &mut Design, name: &str, width: usize) -> Bits {
    (0..width)
        .map(|bit| input(design, &format!("{name}[{bit}]")))
        .collect()
}

fn register(design: &mut Design, name: &str, width: usize) -> (Vec<NodeId>, Bits) {
    let mut latches = Vec::new();
    for bit in 0..width {
        let id = design.add_latch(Reset::Zero);
        design.set_name(id, format!("{name}[{bit}]"));
        latches.push(id);
    }
    let bits = latches.iter().map(|id| id.literal()).collect();
    (latches, bits)
}

fn set_next(design: &mut Design, latches: &[NodeId], next: &[Literal]) {
    for (latch, next) in latches.iter().zip(next) {
        design.set_next(*latch, *next);
    }
}

fn show(design: &mut Design, name: &str, bits: &[Literal]) {
    for (bit, literal) in bits.iter().enumerate() {
        design.add_output(Some(format!("{name}[{bit}]")), *literal, None);
    }
}

/// A counter in Gray code, against a binary one.
fn gray_counter(width: usize) -> Circuit {
    let mut design = Design::new();
    let enable = input(&mut design, "enable");
    let (latches, gray) = register(&mut design, "gray", width);
    // Bit k toggles if all below it but bit k - 1 are 0 and the parity is right.
    let parity = words::reduce_xor(&mut design, &gray);
    let mut next = Vec::new();
    for bit in 0..width {
        let toggles = if bit == 0 {
            !parity
        } else {
            let below = words::reduce_or(&mut design, &gray[..bit - 1]);
            let here = match bit + 1 == width {
                // The last bit also turns when only it is set.
                true => words::reduce_or(&mut design, &gray[bit - 1..]),
                false => gray[bit - 1],
            };
            let quiet = design.and(!below, here);
            design.and(quiet, parity)
        };
        let toggles = design.and(toggles, enable);
        next.push(design.xor(gray[bit], toggles));
    }
    set_next(&mut design, &latches, &next);
    show(&mut design, "gray", &gray);

    let (latches, binary) = register(&mut design, "binary", width);
    let one = words::constant(1, width);
    let more = words::add(&mut design, &binary, &one);
    let next = words::mux(&mut design, enable, &more, &binary);
    set_next(&mut design, &latches, &next);
    let mut shifted = binary[1..].to_vec();
    shifted.push(Literal::FALSE);
    let expected = words::xor(&mut design, &binary, &shifted);
    let same = words::equal(&mut design, &gray, &expected);
    Circuit::new(format!("gray counter {width}"), design, !same)
}

/// A linear feedback register that reads one bit in each step, against one that is shifted
/// the other way.
fn feedback_register(width: usize) -> Circuit {
    let mut design = Design::new();
    let data = input(&mut design, "data");
    let clear = input(&mut design, "clear");
    let taps = [0, 2, 3, width - 2];
    let step = |design: &mut Design, bits: &[Literal]| -> Bits {
        let feedback = design.xor(bits[width - 1], data);
        let mut next = Vec::new();
        for bit in 0..width {
            let before = if bit == 0 {
                Literal::FALSE
            } else {
                bits[bit - 1]
            };
            let value = match taps.contains(&bit) {
                true => design.xor(before, feedback),
                false => before,
            };
            next.push(design.and(value, !clear));
        }
        next
    };
    let (latches, bits) = register(&mut design, "crc", width);
    let next = step(&mut design, &bits);
    set_next(&mut design, &latches, &next);
    show(&mut design, "crc", &bits);

    let (latches, model) = register(&mut design, "model", width);
    let mirrored: Bits = model.iter().rev().copied().collect();
    let mut next = step(&mut design, &mirrored);
    next.reverse();
    set_next(&mut design, &latches, &next);
    let same = words::equal(&mut design, &bits, &mirrored);
    Circuit::new(format!("feedback register {width}"), design, !same)
}

/// A queue's pointers and its count, which has to be their difference.
fn occupancy(width: usize) -> Circuit {
    let mut design = Design::new();
    let (push, pop) = (input(&mut design, "push"), input(&mut design, "pop"));
    let (head_latches, head) = register(&mut design, "head", width);
    let (tail_latches, tail) = register(&mut design, "tail", width);
    let (count_latches, count) = register(&mut design, "count", width);
    let full = words::reduce_and(&mut design, &count);
    let some = words::reduce_or(&mut design, &count);
    let pushes = design.and(push, !full);
    let pops = design.and(pop, some);
    let one = words::constant(1, width);
    for (latches, pointer, moves) in [(&head_latches, &head, pushes), (&tail_latches, &tail, pops)]
    {
        let more = words::add(&mut design, pointer, &one);
        let next = words::mux(&mut design, moves, &more, pointer);
        set_next(&mut design, latches, &next);
    }
    let grows = design.and(pushes, !pops);
    let shrinks = design.and(pops, !pushes);
    let more = words::add(&mut design, &count, &one);
    let less = words::subtract(&mut design, &count, &one);
    let smaller = words::mux(&mut design, shrinks, &less, &count);
    let next = words::mux(&mut design, grows, &more, &smaller);
    set_next(&mut design, &count_latches, &next);
    show(&mut design, "count", &count);
    let difference = words::subtract(&mut design, &head, &tail);
    let same = words::equal(&mut design, &count, &difference);
    Circuit::new(format!("queue {width}"), design, !same)
}

/// Adds what comes in, in two halves one after the other, against one addition.
fn accumulator(width: usize) -> Circuit {
    let mut design = Design::new();
    let data = inputs(&mut design, "data", width);
    let clear = input(&mut design, "clear");
    let (low_latches, low) = register(&mut design, "low", width);
    let (high_latches, high) = register(&mut design, "high", width);
    let (carry_latches, carry) = register(&mut design, "carry", 1);
    let wide = |bits: &[Literal]| words::resize(bits, width + 1, false);
    let sum = words::add(&mut design, &wide(&low), &wide(&data));
    let keep = vec![!clear; width];
    let next = words::and(&mut design, &sum[..width], &keep);
    set_next(&mut design, &low_latches, &next);
    let next = design.and(sum[width], !clear);
    set_next(&mut design, &carry_latches, &[next]);
    let more = words::add(&mut design, &high, &words::resize(&carry, width, false));
    let next = words::and(&mut design, &more, &keep);
    set_next(&mut design, &high_latches, &next);
    show(&mut design, "low", &low);
    show(&mut design, "high", &more);

    let (latches, total) = register(&mut design, "total", 2 * width);
    let data = words::resize(&data, 2 * width, false);
    let sum = words::add(&mut design, &total, &data);
    let next = words::and(&mut design, &sum, &vec![!clear; 2 * width]);
    set_next(&mut design, &latches, &next);
    let both = [low, more].concat();
    let same = words::equal(&mut design, &both, &total);
    Circuit::new(format!("accumulator {width}"), design, !same)
}

/// The sequential multiplier of [JSGB11, Sec. 7.3], against a product.
fn multiplier(width: usize) -> Circuit {
    let double = 2 * width;
    let mut design = Design::new();
    let load = input(&mut design, "load");
    let a_in = inputs(&mut design, "a", width);
    let b_in = inputs(&mut design, "b", width);
    let (a_latches, a) = register(&mut design, "A", width);
    let (b_latches, b) = register(&mut design, "B", double);
    let (q_latches, q) = register(&mut design, "Q", double);
    let selected = words::and(&mut design, &b, &vec![a[0]; double]);
    let sum = words::add(&mut design, &q, &selected);
    let next = words::and(&mut design, &sum, &vec![!load; double]);
    set_next(&mut design, &q_latches, &next);
    let mut right = a[1..].to_vec();
    right.push(Literal::FALSE);
    let next = words::mux(&mut design, load, &a_in, &right);
    set_next(&mut design, &a_latches, &next);
    let left: Bits = [&[Literal::FALSE][..], &b[..double - 1]].concat();
    let loaded = words::resize(&b_in, double, false);
    let next = words::mux(&mut design, load, &loaded, &left);
    set_next(&mut design, &b_latches, &next);
    show(&mut design, "Q", &q);

    let (latches, count) = register(&mut design, "count", 3);
    let last = words::equal(&mut design, &count, &words::constant(width as u64 + 1, 3));
    let idle = !words::reduce_or(&mut design, &count);
    let ends = design.or(last, idle);
    let more = words::add(&mut design, &count, &words::constant(1, 3));
    let next = words::mux(&mut design, ends, &words::constant(0, 3), &more);
    let next = words::mux(&mut design, load, &words::constant(1, 3), &next);
    set_next(&mut design, &latches, &next);
    let mut factors = Vec::new();
    for (name, operand) in [("first", &a_in), ("second", &b_in)] {
        let (latches, copy) = register(&mut design, name, width);
        let next = words::mux(&mut design, load, operand, &copy);
        set_next(&mut design, &latches, &next);
        factors.push(words::resize(&copy, double, false));
    }
    let product = words::multiply(&mut design, &factors[0], &factors[1]);
    let right = words::equal(&mut design, &q, &product);
    let bad = design.and(last, !right);
    Circuit::new(format!("multiplier {width}"), design, bad)
}

/// Clients wait for a token that goes round; nobody waits for ever.
fn arbiter(clients: usize) -> Circuit {
    let mut design = Design::new();
    let requests = inputs(&mut design, "request", clients);
    let (token_latches, token) = register(&mut design, "token", clients);
    design.set_reset(token_latches[0], Reset::One);
    let (wait_latches, waiting) = register(&mut design, "waiting", clients);
    let mut grants = Vec::new();
    for client in 0..clients {
        let wants = design.or(requests[client], waiting[client]);
        let grant = design.and(wants, token[client]);
        grants.push(grant);
        let next = design.and(wants, !grant);
        design.set_next(wait_latches[client], next);
        design.set_next(token_latches[(client + 1) % clients], token[client]);
    }
    show(&mut design, "grant", &grants);
    let one = words::at_most_one(&mut design, &grants);
    let mut circuit = Circuit::new(format!("arbiter {clients}"), design, !one);
    let live = |client: usize| {
        format!("assert live{client}: G (waiting[{client}] -> F grant[{client}]);\n")
    };
    circuit.properties = Some((0..clients).step_by(clients / 2).map(live).collect());
    circuit
}
