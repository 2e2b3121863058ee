//! An edited design that is made in haste is the one that its text says.
//!
//! A search for corrections looks at thousands of edits, and reads only the item again that an
//! edit changes. Here the whole text is read, too, and both designs are compared.

use respin::design::verilog::edits::SourceEdit;
use respin::design::verilog::{Options, Project, VerilogFrontEnd};
use respin::design::{Correction, Design, FrontEnd};
use respin::source::Sources;
use std::fs;
use std::path::Path;

/// Of the edits of each design of `hdl/` one in so many is compared.
const SAMPLE: usize = 11;

fn front_end(text: &str) -> VerilogFrontEnd {
    let mut sources = Sources::new();
    let project = Project {
        files: vec![sources.add("design.v", text)],
        ..Project::default()
    };
    let options = Options {
        components: true,
        allows_latches: true,
        ..Options::default()
    };
    VerilogFrontEnd::new(project, options, &sources).expect("a design that we read")
}

/// The design as the whole of its text says.
fn reread(front_end: &VerilogFrontEnd, edits: &[SourceEdit]) -> Option<Design> {
    let correction = Correction::Edits(edits.to_vec());
    let patch = front_end.render(&correction).expect("edits have a text")?;
    front_end.reread(&patch).ok().map(|reading| reading.design)
}

/// Whether two designs are the same circuit with the same names. Gates may be numbered
/// otherwise.
fn are_alike(first: Option<&Design>, second: Option<&Design>) -> bool {
    let (Some(first), Some(second)) = (first, second) else {
        return first.is_none() && second.is_none();
    };
    let leaves = |design: &Design| -> Vec<Option<String>> {
        let leaves = design.inputs().iter().chain(design.latches());
        leaves
            .map(|id| design.name(*id).map(str::to_string))
            .collect()
    };
    let words = |design: &Design| -> Vec<(String, usize)> {
        let words = design.words().iter();
        words
            .map(|word| (word.name.clone(), word.bits.len()))
            .collect()
    };
    first.is_same_circuit(second)
        && leaves(first) == leaves(second)
        && words(first) == words(second)
}

/// How many of these edits were compared.
fn compare<'e>(
    front_end: &VerilogFrontEnd,
    candidates: impl Iterator<Item = &'e [SourceEdit]>,
) -> usize {
    let mut trials = front_end.trials().expect("we read this ourselves");
    let mut compared = 0;
    for edits in candidates {
        let (quick, whole) = (trials.design(edits), reread(front_end, edits));
        assert!(are_alike(quick.as_ref(), whole.as_ref()), "{edits:?}");
        compared += 1;
    }
    compared
}

/// Whether no two changes touch each other; others are never made together.
fn are_apart(edits: &[SourceEdit]) -> bool {
    let changes = edits.iter().flat_map(|edit| &edit.changes);
    let mut spans: Vec<_> = changes.map(|(span, _)| (span.start, span.end)).collect();
    spans.sort();
    spans.windows(2).all(|pair| pair[0].1 < pair[1].0)
}

#[test]
fn designs_in_haste_are_those_of_their_texts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hdl");
    let mut compared = 0;
    for entry in fs::read_dir(folder).expect("hdl") {
        let path = entry.expect("a folder").path().join("faulty.v");
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let front_end = front_end(&text);
        let edits = front_end.edits(&[]).expect("edits");
        compared += compare(&front_end, edits.chunks(1).step_by(SAMPLE));
        let pairs = edits
            .chunks(2)
            .step_by(SAMPLE)
            .filter(|pair| are_apart(pair));
        compared += compare(&front_end, pairs);
    }
    assert!(compared > 1000, "{compared} edits were compared");
}

#[test]
fn headers_macros_lists_and_generate_blocks_are_read_as_they_are() {
    let text = "\
`define NEXT(value) ((value) + 1)
module one #(parameter STEP = 1) (input clk, input [3:0] a, output [3:0] y);
    assign y = a + STEP;
endmodule
module top(input clk, input [3:0] a, b, output [3:0] y, z, output reg [3:0] q);
    wire [3:0] first, second;
    one u0 (clk, a, first), u1 (clk, b, second);
    and g0 (y[0], a[0], b[0]), g1 (y[1], a[1], b[1]);
    assign y[3:2] = a[3:2] | b[3:2], z = first ^ second;
    (* keep *) reg [1:0] count = 0;
    generate
        genvar i;
        for (i = 0; i < 2; i = i + 1) begin : each
            always @(posedge clk) q[2 * i +: 2] <= a[i] ? b[i +: 2] : count;
        end
    endgenerate
    always @(posedge clk) count <= `NEXT(count) & 2'b11;
    function [3:0] twice(input [3:0] x);
        twice = x + x;
    endfunction
endmodule
";
    let front_end = front_end(text);
    let edits = front_end.edits(&[]).expect("edits");
    assert!(compare(&front_end, edits.chunks(1)) > 50);
}
