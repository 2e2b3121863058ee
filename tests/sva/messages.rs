//! What is refused or warned about, at its place.

use super::{folder, respin};

fn told(name: &str, body: &str) -> (String, String) {
    let folder = folder("messages");
    let file = format!("{name}.sv");
    let text = format!(
        "module m (input clk, input other, input rst, input a, input b, output reg q);\n  always @(posedge clk) q <= a;\n  initial q = 0;\n{body}\nendmodule\n"
    );
    std::fs::write(folder.join(&file), text).expect("a design is written");
    let (output, problems, _) = respin(&["verify", "-q", &file], &folder);
    (output, problems)
}

/// The second clock is the last one.
const SEVERAL_CLOCKS: [&str; 12] = [
    "assert property (@(posedge clk) a ##1 @(posedge other) b);",
    "assert property (@(posedge clk) a |=> @(posedge other) b);",
    "assert property (@(posedge clk) a |-> @(negedge clk) b);",
    "assert property (@(posedge clk) a and @(posedge other) b);",
    "assert property (@(posedge clk) not (@(posedge other) b));",
    "assert property (@(posedge clk) disable iff (rst) a |=> @(posedge other) b);",
    "assert property ((@(posedge clk) a) |=> (@(posedge other) b));",
    "assert property (@(posedge clk) if (a) @(posedge other) b);",
    "assert property (@(posedge clk) a |-> s_eventually @(posedge other) b);",
    "assume property (@(posedge clk) first_match(a ##1 @(posedge other) b) |-> a);",
    "cover property (@(posedge clk) a ##1 @(posedge other) b);",
    "default clocking @(posedge clk); endclocking assert property (a |=> @(posedge other) b);",
];

fn refuses(name: &str, body: &str, code: &str, place: &str) {
    let (output, problems) = told(name, body);
    assert!(
        !output.starts_with("PASS") && !output.starts_with("FAIL"),
        "{name}: {output}"
    );
    assert!(problems.contains(code), "{name}: no {code} in\n{problems}");
    assert!(
        problems.contains(place),
        "{name}: not at {place}:\n{problems}"
    );
}

#[test]
fn the_past_of_a_signal_is_that_of_its_other_names() {
    let body = "  default clocking @(posedge clk); endclocking
  wire copy = a, inverse = !copy;
  assume property ($rose(copy) |-> b);
  assert property ($rose(a) |-> b);
  assert property ($fell(inverse) |-> b);
  assert property ($past(copy, 2) == !$past(inverse, 2));";
    let (output, problems) = told("names", body);
    assert!(output.starts_with("PASS"), "{output}\n{problems}");
    let (output, _) = told("others", &body.replace("$rose(a)", "$rose(other)"));
    assert!(output.starts_with("FAIL"), "{output}");
}

#[test]
fn what_is_not_supported_is_an_error_at_its_place() {
    refuses(
        "long_loop",
        "  assert property (@(posedge clk) (a ##1 b)[*1:$] |-> q);",
        "R0246",
        ":4:35",
    );
    refuses(
        "empty",
        "  assert property (@(posedge clk) a[*0] |-> q);",
        "R0244",
        ":4:35",
    );
    refuses(
        "not_a_sequence",
        "  assert property (@(posedge clk) (s_eventually a) |-> q);",
        "R0245",
        ":4:35",
    );
    refuses(
        "never",
        "  assert property (@(posedge clk) (a ##1 b) intersect (a ##2 b) |-> q);",
        "R0248",
        ":4:35",
    );
    refuses(
        "second_clock",
        "  sequence s; @(posedge other) q; endsequence\n  assert property (@(posedge clk) a |=> s);",
        "R0318",
        ":5:3",
    );
    for (number, property) in SEVERAL_CLOCKS.iter().enumerate() {
        let body = format!("  {property}");
        let place = format!(":4:{}", 3 + property.rfind("@").expect("a second clock"));
        refuses(&format!("clocks_{number}"), &body, "R0318", &place);
    }
    refuses(
        "end_of_a_sequence",
        "  sequence s; a ##1 b; endsequence\n  assert property (@(posedge clk) s.triggered |-> q);",
        "R0301",
        ":5:35",
    );
    refuses(
        "other_edge",
        "  sequence s; @(negedge clk) q; endsequence\n  assert property (@(posedge clk) a |=> s);",
        "R0318",
        ":5:3",
    );
    refuses(
        "asynchronous",
        "  assert property (@(posedge other) accept_on (b) a |=> q);",
        "R0318",
        ":4:3",
    );
    refuses(
        "case",
        "  assert property (@(posedge clk) case (a) endcase);",
        "R0300",
        ":4:51",
    );
    refuses(
        "local",
        "  assert property (@(posedge clk) (a, x = b) ##1 q);",
        "R0307",
        ":4:39",
    );
    refuses(
        "assigned_twice",
        "  property p; logic v; (a, v = b) ##1 (a, v = q) |-> v; endproperty\n  assert property (@(posedge clk) p);",
        "R0301",
        ":4:43",
    );
    refuses(
        "action",
        "  always @(posedge clk) assert (a) else q <= 1;",
        "R0301",
        ":4:41",
    );
    refuses(
        "in_a_function",
        "  function f(input x); begin assert (x); f = x; end endfunction\n  wire y = f(a);",
        "R0301",
        ":4:30",
    );
    refuses(
        "arguments",
        "  property p(x); x |-> q; endproperty\n  assert property (@(posedge clk) p(a, b));",
        "R0310",
        ":5:35",
    );
    refuses(
        "recursive",
        "  property p; a |-> p; endproperty\n  assert property (@(posedge clk) p);",
        "R0313",
        "",
    );
    refuses(
        "backwards",
        "  assert property (@(posedge clk) a ##[3:1] b |-> q);",
        "R0300",
        ":4:40",
    );
    refuses(
        "endless",
        "  assert property (@(posedge clk) eventually a);",
        "R0300",
        ":4:35",
    );
}

#[test]
fn a_sequence_that_never_fails_is_a_warning() {
    let (output, problems) = told(
        "weak",
        "  assert property (@(posedge clk) a |-> ##[1:$] q);",
    );
    assert!(output.starts_with("PASS"), "{output}");
    assert!(
        problems.contains("R0243") && problems.contains("s_eventually"),
        "{problems}"
    );
    assert!(problems.contains(":4:41"), "{problems}");
}

#[test]
fn verdicts_name_the_label_and_the_place() {
    let body = "  kept: assert property (@(posedge clk) a |=> q);\n  broken: assert property (@(posedge clk) a |=> !q);\n  always @(posedge clk) inner: assert (q || !q);\n  some: cover property (@(posedge clk) a ##1 q);\n  none: cover property (@(posedge clk) a ##1 !q);";
    let (output, _) = told("labels", body);
    for line in [
        "PASS  kept    labels.sv:4:3",
        "FAIL  broken  labels.sv:5:3  in step 1",
        "PASS  inner   labels.sv:6:25",
        "PASS  some    labels.sv:7:3  in step 1",
        "FAIL  none    labels.sv:8:3  no run covers it",
    ] {
        assert!(output.contains(line), "`{line}` is not in\n{output}");
    }
    assert!(output.starts_with("FAIL"), "{output}");
}

#[test]
fn the_macro_formal_is_defined_unless_it_is_not_wanted() {
    let folder = folder("messages");
    let text = "module m (input clk, input a, output q);\n  assign q = a;\n`ifdef FORMAL\n  always @* assert (!q);\n`endif\nendmodule\n";
    std::fs::write(folder.join("formal.sv"), text).expect("a design is written");
    let (output, _, _) = respin(&["verify", "-q", "formal.sv"], &folder);
    assert!(output.starts_with("FAIL"), "{output}");
    let (_, problems, code) = respin(&["verify", "-q", "--no-formal", "formal.sv"], &folder);
    assert_eq!(code, 2, "{problems}");
    assert!(problems.contains("R0802"), "{problems}");
}
