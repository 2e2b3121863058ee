//! Memories of which only the words at a few addresses are looked at, beside the same memories
//! as a whole: random designs, the same verdicts.

use super::cases::cases;
use super::seed::given_seed;
use respin::certify::{Decision, Options, Problem, Verdict};
use respin::random::Random;
use respin::{DesignOptions, Subject, design_from_texts};
use std::time::Instant;

/// Cases of a usual run.
const USUAL: u64 = 150;

/// A module with a memory of a few bits, and assertions about it of which some are wrong.
fn module(random: &mut Random) -> String {
    let words = *random.pick(&[2, 3, 4, 5, 8]);
    let bits = 1 + random.below(3);
    let address = if words > 4 {
        3
    } else {
        1 + usize::from(words > 2)
    };
    let (high, top) = (bits - 1, address - 1);
    let start = *random.pick(&[
        "",
        "initial for (int i = 0; i < N; i++) mem[i] = 0;",
        "initial for (int i = 0; i < N; i++) mem[i] = 3 * i + 1;",
    ]);
    let write = *random.pick(&[
        "if (we) mem[wa] <= d;",
        "if (we) mem[wa] <= d; if (we2) mem[xa] <= e;",
        "if (we) mem[wa][0] <= d[0];",
        "if (we) mem[wa] <= mem[wa] + 1;",
        "if (we) mem[wa] = d;",
        "if (we2) for (int i = 0; i < N; i++) mem[i] <= 0; else if (we) mem[wa] <= d;",
        "if (we) mem[N - 1] <= d;",
        "if (we && wa != 1) mem[wa] <= d;",
        "if (we) mem[wa] <= d ^ mem[xa];",
    ]);
    let read = *random.pick(&[
        "",
        "always_comb q = mem[ra];",
        "always_ff @(posedge clk) q <= mem[ra];",
        "logic [W-1:0] p; always_ff @(posedge clk) begin p <= mem[ra]; q <= p; end",
        "always_ff @(posedge clk) q <= we2 ? mem[xa] : mem[ra];",
        "always_comb q = mem[mem[ra]];",
    ]);
    // A read behind a write with `=` sees what is written.
    let reads_in_block = read.is_empty();
    let own_read = if reads_in_block { "q <= mem[ra];" } else { "" };
    let property = *random.pick(&[
        "k |-> mem[f] == g",
        "k && ra == f |-> q == g",
        "$past(k) && $past(ra) == f |-> q == $past(g)",
        "we && wa == f |=> mem[f] == $past(d)",
        "we ##1 !we && ra == $past(wa) |=> q == $past(d, 2)",
        "we ##1 ra == $past(wa) ##1 1 |=> q == $past(d, 3)",
        "mem[ra] == mem[xa] || ra != xa",
        "mem[ra] != mem[xa] || ra == xa",
        "!we && !we2 |=> mem[f] == $past(mem[f])",
        "q != 1 || k || 1",
        "mem[ra] != d",
        "mem[0] == $past(mem[0]) || $past(we)",
        "we && wa == ra ##1 ra == $past(ra) |=> q == $past(d, 2)",
        "we |=> (ra == $past(wa) -> q == $past(d))",
        "we |=> mem[$past(wa)] == $past(d)",
        "we ##1 ra == $past(wa) |=> q == $past(d, 2)",
        "we && wa == f |=> mem[f] == $past(d) or ##1 q == $past(d)",
        "we |-> ##[1:2] mem[f] == g",
        "we ##[1:2] ra == f |-> q == g",
    ]);
    // Behind the last two, some runs end: a violation that shows later is none.
    let assumption = *random.pick(&[
        "",
        "",
        "assume property (@(posedge clk) !(we && we2));",
        "assume property (@(posedge clk) we |=> !we);",
        "assume property (@(posedge clk) we2 |=> 0);",
        "assume property (@(posedge clk) we && wa == f |=> ##1 0);",
    ]);
    format!(
        "module m #(parameter N = {words}, W = {bits})(input clk, we, we2,\n\
         input [{top}:0] wa, ra, xa, input [{high}:0] d, e, output logic [{high}:0] q);\n\
         logic [W-1:0] mem [0:N-1];\n{start}\n\
         always @(posedge clk) begin {write} {own_read} end\n{read}\n\
         (* anyconst *) logic [{top}:0] f;\nlogic [W-1:0] g; logic k = 0;\n\
         always @(posedge clk) if (we && wa == f) begin g <= d; k <= 1; end\n\
         {assumption}\nassert property (@(posedge clk) {property});\nendmodule\n"
    )
}

fn subject(text: &str) -> Subject {
    let options = DesignOptions::default();
    match design_from_texts(&[("m.sv", text)], &[], &options) {
        Ok(subject) => subject,
        Err(failure) => panic!("{text}\n{failure:?}"),
    }
}

/// What is said with the memory at a few addresses, and as a whole.
fn verdicts(text: &str) -> (Option<Decision>, Verdict) {
    let subject = subject(text);
    let problem = Problem::new(&subject.design, &subject.spec).expect(text);
    let asserted: Vec<usize> = problem.asserted().collect();
    let options = Options::default();
    let few = problem.check_with_memories(&asserted, 1, &options, &mut |_| {});
    let whole = problem.check_all(&asserted, &options, |_| {}).expect(text);
    (
        few.expect(text).into_iter().next(),
        whole[0].verdict.clone(),
    )
}

#[test]
fn words_at_a_few_addresses_tell_the_same_as_all() {
    let cases = cases(USUAL);
    let (first, last) = given_seed().map_or((0, cases), |seed| (seed, seed + 1));
    let (mut hold, mut fail) = (0, 0);
    for seed in first..last {
        let text = module(&mut Random::new(seed));
        let (few, whole) = verdicts(&text);
        let Some(few) = few else {
            continue;
        };
        let needs_memory = !few.memories.is_empty();
        assert!(few.memories.iter().all(|name| name == "mem"));
        match (&few.verdict, &whole) {
            (Verdict::Holds, Verdict::Holds) => hold += u64::from(needs_memory),
            (Verdict::Fails(_), Verdict::Fails(_)) => fail += u64::from(needs_memory),
            (few, whole) => panic!("seed {seed}: {few:?}, but {whole:?} of\n{text}"),
        }
    }
    eprintln!("{hold} hold and {fail} fail, of {}", last - first);
    if last - first >= USUAL {
        assert!(20 * hold >= last - first, "only {hold} were shown to hold");
        assert!(10 * fail >= last - first, "only {fail} were shown to fail");
    }
}

/// Says of a memory of 64 Kibibits, which no engine can look at as a whole, that a property
/// holds.
fn assert_holds(read: &str, property: &str) {
    let text = format!(
        "module m(input clk, we, input [10:0] wa, ra, input [31:0] d, output logic [31:0] q);\n\
         logic [31:0] mem [0:2047];\n\
         always_ff @(posedge clk) if (we) mem[wa] <= d;\n{read}\n\
         assert property (@(posedge clk) {property});\nendmodule\n"
    );
    let subject = subject(&text);
    let answer = respin::verify(&subject, &Default::default(), &mut |_| {}).expect("no limits");
    let decision = &answer.checked.decisions()[0];
    assert_eq!(decision.verdict, Verdict::Holds, "{property}");
    assert_eq!(decision.memories, ["mem"], "{property}");
}

const AT_ONCE: &str = "assign q = mem[ra];";
const A_STEP_LATER: &str = "always_ff @(posedge clk) q <= mem[ra];";

#[test]
fn what_was_written_is_read_in_the_next_step() {
    assert_holds(AT_ONCE, "we |=> (ra == $past(wa) -> q == $past(d))");
}

#[test]
fn what_was_written_is_at_the_address_of_the_step_before() {
    assert_holds(AT_ONCE, "we |=> mem[$past(wa)] == $past(d)");
}

#[test]
fn what_was_written_is_read_by_a_register() {
    let property = "we ##1 !we && ra == $past(wa) |=> q == $past(d, 2)";
    assert_holds(A_STEP_LATER, property);
}

#[test]
fn a_register_reads_what_was_written_before_whatever_is_written_now() {
    assert_holds(A_STEP_LATER, "we ##1 ra == $past(wa) |=> q == $past(d, 2)");
}

/// Where time is over, each property is in the answer all the same.
#[test]
fn properties_of_a_large_memory_that_there_is_no_time_for_are_not_decided() {
    let text = "module m(input clk, we, input [10:0] wa, ra, input [31:0] d);\n\
                logic [31:0] mem [0:2047];\n\
                always_ff @(posedge clk) if (we) mem[wa] <= d;\n\
                assert property (@(posedge clk) mem[ra] * mem[wa] == mem[wa] * mem[ra]);\n\
                assert property (@(posedge clk) we |=> !we);\nendmodule\n";
    let subject = subject(text);
    let mut options = respin::verify::Options::default();
    options.limits.deadline = Some(Instant::now());
    let answer = respin::verify(&subject, &options, &mut |_| {}).expect("an answer");
    let decisions = answer.checked.decisions().iter();
    let verdicts: Vec<&Verdict> = decisions.map(|one| &one.verdict).collect();
    let late = Verdict::Unknown(respin::bdd::Error::Deadline);
    assert_eq!(verdicts, [&late, &late]);
}
