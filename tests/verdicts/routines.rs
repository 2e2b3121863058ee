//! Variables of functions and tasks that are read before they are assigned, and resets that load
//! what they reset.

use super::{check, error_of, verdicts, verifying};

/// A module with a function of `e` and `v`, whose result is never 0 where `e` is 0.
fn with_function(declaration: &str) -> String {
    format!(
        "module m(input clk, input e, input [1:0] v, output [1:0] y, output [1:0] z);
           {declaration}
           assign y = f(v, e);
           assign z = f(v, e);
           taken: assert property (@(posedge clk) e |-> y == v);
           zero: assert property (@(posedge clk) !e |-> y == 0);
           alike: assert property (@(posedge clk) y == z);
         endmodule"
    )
}

fn check_function(declaration: &str, is_any: bool) {
    let expected = match is_any {
        true => [
            "taken: holds",
            "zero: fails in step 0",
            "alike: fails in step 0",
        ],
        false => ["taken: holds", "zero: holds", "alike: holds"],
    };
    check(&with_function(declaration), &verifying(), &expected);
}

#[test]
fn a_result_that_is_not_assigned_is_any_value_in_each_call() {
    check_function(
        "function [1:0] f(input [1:0] v, input e); if (e) f = v; endfunction",
        true,
    );
    check_function(
        "function automatic logic [1:0] f(input [1:0] v, input e); if (e) return v; endfunction",
        true,
    );
    // 6.8: a two-state variable starts at 0.
    check_function(
        "function automatic bit [1:0] f(input [1:0] v, input e); if (e) f = v; endfunction",
        false,
    );
}

#[test]
fn a_variable_of_a_routine_that_is_not_assigned_is_any_value() {
    check_function(
        "function [1:0] f(input [1:0] v, input e); reg [1:0] t;
           begin if (e) t = v; f = t; end endfunction",
        true,
    );
    check_function(
        "task give(input [1:0] v, input e, output [1:0] r); if (e) r = v; endtask
         function [1:0] f(input [1:0] v, input e); give(v, e, f); endfunction",
        true,
    );
}

#[test]
fn what_is_assigned_on_each_path_depends_on_nothing_else() {
    let returns = "function automatic logic [1:0] f(input [1:0] v, input e);
        if (!e) return 0; if (v == 3) return 3; return v; endfunction";
    let excluding = "function [1:0] f(input [1:0] v, input e);
        begin if (e) f = v; if (!e) f = 0; end endfunction";
    let bits = "function [1:0] f(input [1:0] v, input e); integer i;
        for (i = 0; i < 2; i = i + 1) f[i] = v[i] & e; endfunction";
    let cases = "function [1:0] f(input [1:0] v, input e);
        case ({e, v}) 3'b100: f = 0; 3'b101: f = 1; 3'b110: f = 2; 3'b111: f = 3;
          3'b000, 3'b001, 3'b010, 3'b011: f = 0; endcase endfunction";
    for declaration in [returns, excluding, bits, cases] {
        check_function(declaration, false);
        let text = with_function(declaration);
        let (_, warnings) = verdicts(&text, &verifying());
        assert_eq!(warnings, [], "{text}");
    }
}

#[test]
fn a_reset_cannot_load_what_it_resets() {
    let text = |value: &str| {
        format!(
            "module m(input clk, input rst, input [2:0] d, output reg [2:0] b);
               always_ff @(posedge clk or posedge rst) if (rst) b <= {value}; else b <= b + 1;
               any: assert property (@(posedge clk) rst |-> b == d);
             endmodule"
        )
    };
    let error = error_of(&text("{b[1:0], 1'b0}"), &verifying());
    assert!(error.contains("depends on what it resets"), "{error}");
    // A load of something else, and a reset that keeps the register, are fine.
    check(&text("d"), &verifying(), &["any: holds"]);
    check(&text("b"), &verifying(), &["any: fails in step 0"]);
}
