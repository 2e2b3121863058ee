//! A liveness assertion under an assumption: the same answer from the source, from a netlist,
//! and from AIGER.

use super::{folder, respin, verdict, yosys};

pub const LIVE: &str =
    "module live (input clk, input tick, input req, output reg busy, output reg [1:0] left);
  initial begin busy = 0; left = 0; end
  always @(posedge clk)
    if (!busy) begin
      if (req) begin busy <= 1; left <= 2; end
    end else if (tick) begin
      if (left == 0) busy <= 0;
      else left <= left - 2'd@;
    end
`ifdef FORMAL
  ticks: assume property (s_eventually tick);
  ends:  assert property (s_eventually !busy);
`endif
endmodule
";

fn script(write: &str) -> String {
    format!("read_verilog -sv -formal live.sv; prep -flatten; {write}")
}

#[test]
fn a_liveness_assertion_has_one_answer_on_all_routes() {
    let folder = folder("liveness");
    for (step, expected) in [("1", "PASS"), ("0", "FAIL")] {
        std::fs::write(
            folder.join("live.sv"),
            LIVE.replace("2'd@", &format!("2'd{step}")),
        )
        .expect("a design");
        yosys(&["-q", "-p", &script("write_json live.json")], &folder).expect("a netlist");
        let aiger = "techmap; opt_clean; aigmap; write_aiger -symbols live.aig";
        yosys(&["-q", "-p", &script(aiger)], &folder).expect("a circuit");
        for file in ["live.sv", "live.json", "live.aig"] {
            assert_eq!(
                verdict(&["verify", "-q", file], &folder),
                expected,
                "{file}"
            );
        }
    }
    for (file, output) in [
        ("live.sv", "fixed.sv"),
        ("live.json", "fixed.json"),
        ("live.aig", "fixed.aig"),
    ] {
        let (text, problems, _) = respin(&["repair", "-q", file, "-o", output], &folder);
        assert!(text.starts_with("REPAIRED"), "{file}: {text}\n{problems}");
        assert_eq!(
            verdict(&["verify", "-q", output], &folder),
            "PASS",
            "{output}"
        );
    }
}
