//! Properties of a design with several clocks count the edges of their own one: a second clock
//! that has nothing to do with a property does not change its verdict. Only properties about
//! finitely many steps: the other ones also ask whether the clock goes on.

use super::{folder, verdict};

/// Behind `assert property (@(posedge clk) `, with the verdict where it is plain to see.
const PROPERTIES: [(&str, Option<&str>); 26] = [
    ("a && !rst |=> p", Some("PASS")),
    ("a |=> p", Some("FAIL")),
    ("disable iff (rst) a |=> p", Some("PASS")),
    ("disable iff (rst) a ##1 b |=> q && $past(b)", Some("PASS")),
    ("disable iff (rst) a |-> ##[1:2] q", Some("PASS")),
    ("disable iff (rst) a |-> ##1 q", Some("FAIL")),
    ("p |-> $past(a)", Some("PASS")),
    ("q |-> $past(a, 2)", Some("PASS")),
    ("q |-> $past(b, 2)", Some("FAIL")),
    ("$rose(p) |-> $past(a)", Some("PASS")),
    ("$fell(p) |-> $past(!a || rst)", Some("PASS")),
    ("$stable(q)", Some("FAIL")),
    ("disable iff (rst) $changed(p) |=> $changed(q)", None),
    ("a[*2] |=> q", None),
    ("disable iff (rst) a[*2] |=> p && q", Some("PASS")),
    ("disable iff (rst) first_match(a ##[1:2] b) |=> p", None),
    ("disable iff (rst) a |-> nexttime [2] q", Some("PASS")),
    ("disable iff (rst) a |-> always [1:2] p", Some("FAIL")),
    ("(a throughout b[->1]) |-> b", Some("PASS")),
    ("not (p ##1 !q ##1 p)", None),
    ("disable iff (rst) a ##1 b[=1] ##1 !b |-> $past(b)", None),
    ("disable iff (rst) p until q or !p", None),
    ("disable iff (rst) if (a) ##1 p else ##1 !p", Some("PASS")),
    (
        "disable iff (rst) case (a) 1: ##1 p; default: ##1 !p; endcase",
        Some("PASS"),
    ),
    ("captured(0)", Some("PASS")),
    ("captured(1)", Some("FAIL")),
];

fn design(second: &str, property: &str) -> String {
    format!(
        "module m(input clk, other, rst, a, b, input [1:0] x, output reg p = 0, q = 0, o = 0,
         output reg [1:0] d = 0, e = 0);
  always @(posedge clk) if (rst) begin p <= 0; q <= 0; d <= 0; e <= 0; end
    else begin p <= a; q <= p; d <= x; e <= d; end
  always @(posedge {second}) o <= !o;
  property captured(more);
    logic [1:0] v;
    disable iff (rst) (a, v = x) |-> ##2 e == v + more;
  endproperty
  assert property (@(posedge clk) {property});
endmodule
"
    )
}

#[test]
fn a_second_clock_does_not_change_what_is_said_of_the_first() {
    let folder = folder("clocks");
    for (property, expected) in PROPERTIES {
        let [one, two] = ["clk", "other"].map(|second| {
            let name = format!("with_{second}");
            verdict(&design(second, property), &name, &folder)
        });
        assert_eq!(one, two, "{property}");
        if let Some(expected) = expected {
            assert_eq!(one, expected, "{property}");
        }
    }
}
