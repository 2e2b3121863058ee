//! From a faulty design and its properties, both of them strings, to a certified diff.

use respin::{DesignOptions, design_from_texts, repair, report::diff};

const DESIGN: &str = "\
module grant(input wire clk, input wire [1:0] request, output reg [1:0] grant = 2'b00);
    always @(posedge clk)
        grant <= request;
endmodule
";

const PROPERTIES: &str = "\
assert mutex: G !(grant[0] & grant[1]);
assert first: G (request[0] -> X grant[0]);
assert alone: G (request == 2'b10 -> X grant[1]);
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (design, properties) = ([("grant.v", DESIGN)], [("grant.ltl", PROPERTIES)]);
    let subject = design_from_texts(&design, &properties, &DesignOptions::default())?;
    let answer = repair(&subject, &repair::Options::default(), &mut |_| {})?;
    match answer.repairs().next() {
        Some(best) => print!("{}", diff::of_patch(&best.patch, &subject.sources)),
        None => println!("no repair was found"),
    }
    Ok(())
}
