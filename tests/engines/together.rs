//! Several properties of one design: together they get the verdicts that each gets alone, and
//! runs of the same length.

use respin::certify::{Engine, Verdict};
use respin::{DesignOptions, design_from_texts, verify};

/// Two counters, one of which stops, and a ring of one bit.
pub const DESIGN: &str = "
module m(input clk, input up, input go, output reg [2:0] a, output reg [2:0] b,
         output reg [3:0] ring);
  initial begin a = 0; b = 0; ring = 1; end
  always @(posedge clk) begin
    if (up && a != 5) a <= a + 1;
    if (go) b <= b + 1;
    ring <= {ring[2:0], ring[3]};
  end
endmodule
";

/// Each with whether it holds.
const PROPERTIES: [(&str, bool); 8] = [
    ("assert stops: G (a <= 5);", true),
    ("assert small: G (b < 3);", false),
    ("assert one: G (ring != 0 & ring != 3);", true),
    ("assert never: G !(a == 4 & b == 2);", false),
    ("assert ahead: G (a == 5 -> X (a == 5));", true),
    ("assert soon: (b == 0) & X (X (b != 2));", false),
    ("assert past: G (ring[1] -> Y ring[0]);", true),
    ("assert turns: G F ring[2];", true),
];

fn lengths(engine: Engine, properties: &[&str]) -> Vec<Option<usize>> {
    let text = properties.join("\n");
    let options = DesignOptions::default();
    let subject = design_from_texts(&[("m.v", DESIGN)], &[("m.ltl", &text)], &options);
    let subject = subject.expect("a design");
    let options = verify::Options {
        engine,
        ..verify::Options::default()
    };
    let answer = verify(&subject, &options, &mut |_| {}).expect("an answer");
    let length = |verdict: &Verdict| match verdict {
        Verdict::Holds => None,
        Verdict::Fails(trace) => Some(trace.len()),
        Verdict::Unknown(error) => panic!("{error}"),
    };
    let verdicts = answer.checked.verdicts().iter();
    verdicts.map(|(_, verdict)| length(verdict)).collect()
}

#[test]
fn properties_together_are_decided_as_alone() {
    for engine in [Engine::Auto, Engine::Bdd, Engine::Sat] {
        let all = PROPERTIES.map(|(text, _)| text);
        let together = lengths(engine, &all);
        for ((text, holds), together) in PROPERTIES.iter().zip(together) {
            let alone = lengths(engine, &[text]);
            assert_eq!(vec![together], alone, "{engine:?}: {text}");
            assert_eq!(together.is_none(), *holds, "{engine:?}: {text}");
        }
    }
}
