//! Memories of which only the words at a few addresses are looked at, beside the same memories
//! as a whole: random designs, the same verdicts.

use super::seed::given_seed;
use respin::certify::{Decision, Options, Problem, Verdict};
use respin::random::Random;
use respin::{DesignOptions, Subject, design_from_texts};

/// A usual run; `RESPIN_CASES` asks for another number.
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
    ]);
    format!(
        "module m #(parameter N = {words}, W = {bits})(input clk, we, we2,\n\
         input [{top}:0] wa, ra, xa, input [{high}:0] d, e, output logic [{high}:0] q);\n\
         logic [W-1:0] mem [0:N-1];\n{start}\n\
         always @(posedge clk) begin {write} {own_read} end\n{read}\n\
         (* anyconst *) logic [{top}:0] f;\nlogic [W-1:0] g; logic k = 0;\n\
         always @(posedge clk) if (we && wa == f) begin g <= d; k <= 1; end\n\
         assert property (@(posedge clk) {property});\nendmodule\n"
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
    let cases = match std::env::var("RESPIN_CASES") {
        Ok(text) => text.parse().expect("RESPIN_CASES is a number"),
        Err(_) => USUAL,
    };
    let (first, last) = given_seed().map_or((0, cases), |seed| (seed, seed + 1));
    let (mut hold, mut fail) = (0, 0);
    for seed in first..last {
        let text = module(&mut Random::new(seed));
        let (few, whole) = verdicts(&text);
        let Some(few) = few else {
            continue;
        };
        assert_eq!(few.memories, ["mem"]);
        match (&few.verdict, &whole) {
            (Verdict::Holds, Verdict::Holds) => hold += 1,
            (Verdict::Fails(_), Verdict::Fails(_)) => fail += 1,
            (few, whole) => panic!("seed {seed}: {few:?}, but {whole:?} of\n{text}"),
        }
    }
    eprintln!("{hold} hold and {fail} fail, of {}", last - first);
    if last - first >= USUAL {
        assert!(10 * hold >= last - first, "only {hold} were shown to hold");
        assert!(10 * fail >= last - first, "only {fail} were shown to fail");
    }
}

/// A design that no engine can look at as a whole.
#[test]
fn a_memory_of_64_kibibits_is_read_as_it_was_written() {
    let text = "module m(input clk, we, input [12:0] wa, ra, input [7:0] d, output reg [7:0] q);\n\
                reg [7:0] mem [0:8191];\n\
                always @(posedge clk) begin if (we) mem[wa] <= d; q <= mem[ra]; end\n\
                assert property (@(posedge clk)\n\
                    we ##1 !we && ra == $past(wa) |=> q == $past(d, 2));\n\
                endmodule\n";
    let subject = subject(text);
    let answer = respin::verify(&subject, &Default::default(), &mut |_| {}).expect("no limits");
    let decision = &answer.checked.decisions()[0];
    assert_eq!(decision.verdict, Verdict::Holds);
    assert_eq!(decision.memories, ["mem"]);
}
