//! Each repair template lists the edit that undoes its mistake.

use respin::design::verilog::edits;
use respin::design::verilog::{self, Options, Project};
use respin::source::Sources;

/// A body with `@` in the place of the mistake, the mistake, and what should stand there.
struct Mistake {
    template: &'static str,
    body: &'static str,
    wrong: &'static str,
    right: &'static str,
}

const MISTAKES: &[Mistake] = &[
    Mistake {
        template: "literal",
        body: "always @(posedge clk) q <= q + @;",
        wrong: "4'd2",
        right: "4'd1",
    },
    Mistake {
        template: "signal",
        body: "assign y = @;",
        wrong: "a",
        right: "b",
    },
    Mistake {
        template: "operator",
        body: "assign y = a @ b;",
        wrong: "|",
        right: "&",
    },
    Mistake {
        template: "operand, exchanged",
        body: "always @(posedge clk) q <= @;",
        wrong: "q - w",
        right: "w - q",
    },
    Mistake {
        template: "operand, one too many",
        body: "assign y = @;",
        wrong: "a && b",
        right: "a",
    },
    Mistake {
        template: "negation",
        body: "always @(posedge clk) if (@) q <= w;",
        wrong: "a",
        right: "!a",
    },
    Mistake {
        template: "signedness",
        body: "assign y = @;",
        wrong: "q < w",
        right: "$signed(q) < $signed(w)",
    },
    Mistake {
        template: "concatenation",
        body: "always @(posedge clk) q <= @;",
        wrong: "{q[2:0], q[3], a}",
        right: "{q[2:0], q[3]}",
    },
    Mistake {
        template: "same shape",
        body: "always @(posedge clk) q <= @;",
        wrong: "w",
        right: "q",
    },
    Mistake {
        template: "extra operand",
        body: "always @(posedge clk) if (@) q <= w;",
        wrong: "a",
        right: "a && b",
    },
    Mistake {
        template: "target",
        body: "reg [3:0] p; always @(posedge clk) begin p <= p; @ <= w; end",
        wrong: "q",
        right: "p",
    },
    Mistake {
        template: "assignment kind",
        body: "always @(posedge clk) q @ w;",
        wrong: "=",
        right: "<=",
    },
    Mistake {
        template: "missing branch",
        body: "reg z; always @* case (w) 4'd1: z = a; 4'd2: z = b; @endcase",
        wrong: "",
        right: "default: z = 1'b0; ",
    },
    Mistake {
        template: "missing item",
        body: "localparam ONE = 4'd1; localparam TWO = 4'd2;
  always @(posedge clk) case (q) ONE: q <= TWO; @default: q <= 4'd0; endcase",
        wrong: "",
        right: "TWO: q <= TWO; ",
    },
    Mistake {
        template: "missing reset",
        body: "reg s; always @(posedge clk) if (rst) begin q <= 4'd0;@ end else begin q <= w; \
               s <= a; end",
        wrong: "",
        right: " s <= 1'b0;",
    },
    Mistake {
        template: "missing statement",
        body: "reg s; always @(posedge clk) if (a) begin q <= w; s <= b; end else begin \
               q <= 4'd0;@ end",
        wrong: "",
        right: " s <= b;",
    },
    Mistake {
        template: "placement",
        body: "always @(posedge clk) @q <= w;",
        wrong: "",
        right: "if (a) ",
    },
    Mistake {
        template: "sensitivity",
        body: "always @(@ clk) q <= w;",
        wrong: "negedge",
        right: "posedge",
    },
    Mistake {
        template: "connection, exchanged",
        body: "part one (@, y);",
        wrong: "b, a",
        right: "a, b",
    },
    Mistake {
        template: "parameter of an instance",
        body: "part #(@) one (a, b, y);",
        wrong: "1'b1",
        right: "1'b0",
    },
    Mistake {
        template: "condition of a generate construct",
        body: "genvar i; generate for (i = 0; i < 4; i = i + 1) begin : g \
               if (@) begin : low assign v[i] = a; end else begin : high assign v[i] = b; end \
               end endgenerate wire [3:0] v;",
        wrong: "!(i < 1)",
        right: "(i < 1)",
    },
    Mistake {
        template: "operator, another family",
        body: "always @(posedge clk) q <= q @ w;",
        wrong: "+",
        right: "*",
    },
    Mistake {
        template: "operator, a shift for a sum",
        body: "always @(posedge clk) q <= q @ w;",
        wrong: "+",
        right: "<<",
    },
    Mistake {
        template: "operand, one too many of three",
        body: "assign y = @;",
        wrong: "a || b || rst",
        right: "a || b",
    },
    Mistake {
        template: "operand, one too many of a sum",
        body: "always @(posedge clk) q <= @;",
        wrong: "q + w + 4'd1",
        right: "q + w",
    },
    Mistake {
        template: "operand, missing in a disjunction",
        body: "assign y = @;",
        wrong: "a",
        right: "a || b",
    },
    Mistake {
        template: "operand, missing in a sum",
        body: "always @(posedge clk) q <= @;",
        wrong: "q",
        right: "q + w",
    },
    Mistake {
        template: "operand, missing constant in a sum",
        body: "always @(posedge clk) q <= @;",
        wrong: "q",
        right: "q + 1'b1",
    },
    Mistake {
        template: "operand, missing in a concatenation",
        body: "always @(posedge clk) q <= @;",
        wrong: "{q[2:0]}",
        right: "{q[2:0], a}",
    },
    Mistake {
        template: "branches of a conditional, exchanged",
        body: "always @(posedge clk) q <= a ? @;",
        wrong: "q : w",
        right: "w : q",
    },
    Mistake {
        template: "constant shift",
        body: "always @(posedge clk) q <= w << @;",
        wrong: "2",
        right: "1",
    },
    Mistake {
        template: "slice, upper bound",
        body: "always @(posedge clk) q <= w[@:1];",
        wrong: "2",
        right: "3",
    },
    Mistake {
        template: "slice, lower bound",
        body: "always @(posedge clk) q <= w[3:@];",
        wrong: "1",
        right: "2",
    },
    Mistake {
        template: "slice, both bounds",
        body: "always @(posedge clk) q[2:0] <= w[@];",
        wrong: "2:0",
        right: "3:1",
    },
    Mistake {
        template: "single bit",
        body: "assign y = w[@];",
        wrong: "2",
        right: "3",
    },
    Mistake {
        template: "argument, exchanged",
        body: "function f(input i, input j); f = i & !j; endfunction assign y = f(@);",
        wrong: "b, a",
        right: "a, b",
    },
    Mistake {
        template: "connections of two instances, exchanged",
        body: "wire v; part one (@);",
        wrong: "a, b, y); part two (rst, b, v",
        right: "rst, b, y); part two (a, b, v",
    },
    Mistake {
        template: "outputs of two instances, exchanged",
        body: "wire v, u; assign y = u & !v; part one (@);",
        wrong: "a, b, v); part two (b, a, u",
        right: "a, b, u); part two (b, a, v",
    },
    Mistake {
        template: "value of a named parameter",
        body: "part #(.K(@)) one (a, b, y);",
        wrong: "1'b1",
        right: "1'b0",
    },
    Mistake {
        template: "assignment kind, all of a block",
        body: "integer i; always @(posedge clk) begin for (i = 0; i < 3; i = i + 1) q[i+1] @;",
        wrong: "= q[i]; q[0] = a; end",
        right: "<= q[i]; q[0] <= a; end",
    },
    Mistake {
        template: "assignment kind, of a combinational block",
        body: "reg z; always @* if (a) z @;",
        wrong: "<= b; else z <= 1'b0",
        right: "= b; else z = 1'b0",
    },
    Mistake {
        template: "placement, into an else",
        body: "reg s; always @(posedge clk) begin @ end",
        wrong: "q <= w; if (a) s <= b;",
        right: "if (a) s <= b; else q <= w;",
    },
    Mistake {
        template: "missing statement in a case",
        body: "reg s; always @(posedge clk) case (w) 4'd1: begin q <= w; s <= b; end 4'd2: begin q <= 4'd0;@ end default: q <= w; endcase",
        wrong: "",
        right: " s <= b;",
    },
    Mistake {
        template: "missing item without a default",
        body: "localparam ONE = 4'd1; localparam TWO = 4'd2; always @(posedge clk) case (q) ONE: q <= TWO; @endcase",
        wrong: "",
        right: "TWO: q <= ONE; ",
    },
    Mistake {
        template: "missing reset behind other statements",
        body: "reg s; always @(posedge clk) begin s <= a; q <= w; if (rst) begin q <= 4'd0;@ end end",
        wrong: "",
        right: " s <= 1'b0;",
    },
    Mistake {
        template: "conjunct of a conjunction",
        body: "always @(posedge clk) if (@) q <= w;",
        wrong: "a && b",
        right: "a && b && !rst",
    },
    Mistake {
        template: "guard of one statement of a block",
        body: "reg s; always @(posedge clk) begin q <= w; @s <= b; end",
        wrong: "",
        right: "if (a) ",
    },
    Mistake {
        template: "negation of the other operand",
        body: "assign y = @;",
        wrong: "a & ~b",
        right: "~a & b",
    },
];

const PART: &str = "module part #(parameter K = 1'b0) (input a, input b, output y);
  assign y = a & !b ^ K;
endmodule
";

fn text(mistake: &Mistake, inserted: &str) -> String {
    // Events have the sign, too.
    let events = [("@(posedge clk)", "\u{1}"), ("@*", "\u{2}")];
    let mut body = mistake.body.to_string();
    for (event, mark) in events {
        body = body.replace(event, mark);
    }
    if mistake.template == "sensitivity" {
        body = body.replacen("@(@", "\u{3}@", 1);
    }
    body = body.replacen('@', inserted, 1).replace('\u{3}', "@(");
    for (event, mark) in events {
        body = body.replace(mark, event);
    }
    format!(
        "module m (input clk, input rst, input a, input b, input [3:0] w, \
         output reg [3:0] q, output y);\n  {body}\nendmodule\n{PART}"
    )
}

/// The texts after each edit that is listed for a text.
fn edited(text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let file = sources.add("m.sv", text);
    let project = Project {
        files: vec![file],
        ..Project::default()
    };
    let options = Options {
        components: true,
        allows_latches: true,
        top: Some("m".to_string()),
        ..Options::default()
    };
    let tree = project.parse(&sources).expect("a design that we read");
    let open = verilog::elaborate(&tree, &options)
        .unwrap_or_else(|problem| panic!("{}\n{text}", problem.message));
    let edits = edits::list(&tree, &open.modules, &open.checking_only, &sources);
    let texts = edits.iter().map(|edit| edit.apply(&sources));
    texts.flat_map(|files| files.into_values()).collect()
}

/// A text without blanks, and without `begin` and `end`: an edit may add them.
fn bare(text: &str) -> String {
    let words = text.split_whitespace();
    let kept = words.filter(|word| !["begin", "end"].contains(word));
    kept.collect()
}

#[test]
fn each_template_lists_the_edit_that_undoes_its_mistake() {
    let mut missed = Vec::new();
    for mistake in MISTAKES {
        let wanted = bare(&text(mistake, mistake.right));
        let edited = edited(&text(mistake, mistake.wrong));
        if !edited.iter().any(|text| bare(text) == wanted) {
            let body = |text: &String| text.lines().skip(1).take(2).collect::<String>();
            let all: Vec<String> = edited.iter().map(body).collect();
            missed.push(format!("{}:\n{}", mistake.template, all.join("\n")));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
}
