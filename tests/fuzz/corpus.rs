//! The texts that cases start from: small ones of each format.

use respin::load::Format;
use std::path::{Path, PathBuf};

/// A text with its format.
#[derive(Clone, Debug)]
pub struct Seed {
    pub format: Format,
    pub text: Vec<u8>,
}

/// Files that are longer than this make slow cases and find nothing more.
const LONGEST: usize = 6_000;

/// All seeds, the same ones in the same order on every machine.
pub fn all() -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut paths = Vec::new();
    for folder in ["hdl", "specs"] {
        files(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
            &mut paths,
        );
    }
    for path in paths {
        let extension = path.extension().and_then(|one| one.to_str());
        let format = extension.and_then(Format::of_extension);
        let text = std::fs::read(&path).expect("a file of the corpus");
        if let Some(format) = format.filter(|_| text.len() <= LONGEST) {
            seeds.push(Seed { format, text });
        }
    }
    for (format, texts) in OWN {
        let own = texts.iter().map(|text| Seed {
            format: *format,
            text: text.as_bytes().to_vec(),
        });
        seeds.extend(own);
    }
    seeds.push(Seed {
        format: Format::Aiger,
        text: BINARY.to_vec(),
    });
    seeds
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder of the corpus");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// `aig 5 1 1 0 3 1`: an input, a latch with its next literal, a bad literal, three gates.
const BINARY: &[u8] = b"aig 5 1 1 0 3 1\n10\n4\n\x02\x02\x03\x01\x02\x01i0 x\nl0 s\nc\ncomment\n";

/// What the example designs and specifications of the project have too little of.
const OWN: &[(Format, &[&str])] = &[
    (
        Format::Verilog,
        &[
            "`define W 4\n`define MAX(a, b) ((a) > (b) ? (a) : (b))\n`ifdef FORMAL\n`else\n`endif\n\
             module m #(parameter N = `W, parameter type T = logic [N-1:0])(input clk, input T a,\n\
             input [N-1:0] b, output logic [N-1:0] q);\n\
             function automatic [N-1:0] f(input [N-1:0] x); for (int i = 0; i < N; i++)\n\
             f[i] = x[N-1-i]; endfunction\n\
             generate for (genvar g = 0; g < N; g = g + 1) begin : lane\n\
             wire w = a[g] ^ b[g]; if (g > 1) begin : high wire v = w; end end endgenerate\n\
             typedef enum logic [1:0] { IDLE, RUN = 2, STOP } state_t; state_t s = IDLE;\n\
             always_ff @(posedge clk) begin case (s) IDLE: s <= RUN; RUN: s <= STOP;\n\
             default: s <= IDLE; endcase q <= `MAX(f(a), b) + {2{lane[0].w}}; end\n\
             one: assert property (@(posedge clk) disable iff (a == 0) s == RUN |=> s == STOP);\n\
             two: assert property (@(posedge clk) a[0] ##[1:3] b[0] |-> s_eventually q[0]);\n\
             c: cover property (@(posedge clk) s == STOP ##1 s == IDLE);\nendmodule\n",
            "module top(input clk, input rst, input [7:0] d, output reg [7:0] q);\n\
             reg [7:0] memory [0:3]; reg [1:0] p = 0; integer i;\n\
             initial begin for (i = 0; i < 4; i = i + 1) memory[i] = i; end\n\
             always @(posedge clk or posedge rst) if (rst) p <= 0; else begin p <= p + 1;\n\
             memory[p] <= d; q <= memory[p - 1] >>> 1; end\n\
             sub #(.W(8)) u (.a(d), .y());\nwire signed [7:0] s = $signed(d) * 3 / 2 % 5;\n\
             always @* if ($past(p) == 3) assert (p == 0); endmodule\n\
             module sub #(parameter W = 1)(input [W-1:0] a, output [W-1:0] y);\n\
             assign y = ~a[W-1 -: 4] << 2; endmodule\n",
            "module part(input clk, input d, output reg q); initial q = 0;\n\
             always @(posedge clk) q <= d === 1'bx ? 1'b0 : d; endmodule\n\
             module top(input clk, input d, output [1:0] q); genvar i;\n\
             for (i = 0; i < 2; i = i + 1) begin : g part p (clk, d, q[i]); end endmodule\n\
             module looks #(parameter K = 1) (input clk, input d, input q); reg r = 0;\n\
             always @(posedge clk) r <= d; p: assert property (@(posedge clk) q == r); endmodule\n\
             bind part looks #(.K(2)) l (.*);\nbind part : top.g[1].p looks m (clk, d, q);\n",
        ],
    ),
    (
        Format::Properties,
        &[
            "define waiting := a && !b;\nassume fair: G F a;\nassert live: G (waiting -> X F b);\n\
             assert (a U b) W (Y a S O b); assert {a, b} == 2'b10 -> next b;\n",
            "assert g: G (a -> b); assert h: G F !b; assume G (a -> X !a);\n",
        ],
    ),
    (
        Format::Spectra,
        &[
            "module T\nimport \"DwyerPatterns.spectra\"\ntype D = {A, B, C};\nenv D d;\nenv boolean r;\n\
             sys Int(0..3) n;\nsys boolean[2] g;\ndefine both := g[0] & g[1];\n\
             predicate low(Int(0..3) x): x < 2;\n\
             monitor boolean m { ini m = false; trans next(m) = (r | m); }\n\
             counter c(0..5) { ini c = 0; inc: r; reset: both; overflow: keep; }\n\
             asm GF r;\nasm alw d != C | r;\ngar ini !both;\ngar G (r -> next(g[0]));\n\
             gar GF low(n) & !both;\ngar pRespondsToS(r, g[1]);\ngar forall i in Int(0..1). GF g[i];\n\
             gar trig(\"r;g[0]\") |=> both;\n",
            "spec S\nenv boolean a;\nsys boolean b;\nregexp q := ([a][!a]*[b]);\n\
             gar G regexp(q);\ngar G PREV(a) | ONCE(b) S a -> b;\n",
        ],
    ),
    (
        Format::Tlsf,
        &[
            "INFO { TITLE: \"t\" DESCRIPTION: \"d\" SEMANTICS: Mealy TARGET: Moore TAGS: x, y }\n\
             GLOBAL { PARAMETERS { n = 3; m = n * 2; } DEFINITIONS { enum e = A: 00 B: 01 C: 1*\n\
             s = {0, 2 .. m}; f(i) = i == 0 : true\n otherwise : X f(i - 1) && SIZE s > i;\n\
             mutual(b) = ||[i IN {0, 1 .. (SIZEOF b) - 1}] &&[j IN {0, 1 .. (SIZEOF b) - 1} (\\) {i}]\n\
             !(b[i] && b[j]); } }\n\
             MAIN { INPUTS { r[n]; e x; } OUTPUTS { g[n]; } ASSUME { G F r[0]; }\n\
             ASSERT { mutual(g); } GUARANTEE { &&[0 <= i < n] G (r[i] -> F g[i]); f(2);\n\
             x == A -> G[1:3] g[0] || F[0:2] X[2] g[1]; } }\n",
        ],
    ),
    (
        Format::Slugs,
        &[
            "[INPUT]\na\nb\n\n[OUTPUT]\nx\n\n[ENV_INIT]\n! a\n\n[SYS_INIT]\n! x\n\n[ENV_TRANS]\n\
             | ! a' b\n\n[SYS_TRANS]\n$ 3 & a x ^ ? 0 b | ? 1 ! x' \n\n[ENV_LIVENESS]\na\n\n\
             [SYS_LIVENESS]\n& x 1\n",
        ],
    ),
    (
        Format::StructuredSlugs,
        &[
            "[INPUT]\na\npos:0...7\n\n[OUTPUT]\nx\nq:1...5\n\n[SYS_INIT]\nq=1\n\n[ENV_TRANS]\n\
             pos'<=pos+1\n!a -> (pos' = pos)\n\n[SYS_TRANS]\nx' <-> (q' > 2 & pos >= 3)\n\n\
             [SYS_LIVENESS]\nq = pos | x\n",
        ],
    ),
    (
        Format::Hoa,
        &[
            "HOA: v1\nname: \"x\"\nStates: 3\nStart: 0\nAP: 2 \"a\" \"b\"\ncontrollable-AP: 1\n\
             Alias: @c 0 & !1\nacc-name: parity min even 2\nAcceptance: 2 Inf(0) | Fin(1)\n\
             properties: trans-labels explicit-labels\n--BODY--\nState: 0 \"s\" {0}\n[@c] 1 {1}\n\
             [!0 | 1] 2\nState: 1\n[t] 0 {0 1}\nState: [0] 2 {1}\n2\n--END--\n",
        ],
    ),
    (
        Format::Aiger,
        &[
            "aag 7 2 1 1 4 1 1 1 1\n2\n4\n6 14 0\n6\n14\n1\n1\n6\n8\n8 2 4\n10 3 5\n12 9 11\n14 12 7\n\
             i0 a\ni1 controllable_b\nl0 s\no0 out\nb0 bad\nc\nnote\n",
        ],
    ),
    (
        Format::YosysJson,
        &[
            "{ \"creator\": \"Yosys\", \"modules\": { \"m\": { \"attributes\": { \"top\": 1 },\n\
             \"ports\": { \"clk\": { \"direction\": \"input\", \"bits\": [2] },\n\
             \"a\": { \"direction\": \"input\", \"bits\": [3, 4] },\n\
             \"q\": { \"direction\": \"output\", \"bits\": [5] } },\n\
             \"cells\": { \"r\": { \"type\": \"$dff\", \"parameters\": { \"CLK_POLARITY\": 1, \"WIDTH\": 1 },\n\
             \"attributes\": { \"src\": \"m.v:3.5-3.9\" },\n\
             \"port_directions\": { \"CLK\": \"input\", \"D\": \"input\", \"Q\": \"output\" },\n\
             \"connections\": { \"CLK\": [2], \"D\": [6], \"Q\": [5] } },\n\
             \"g\": { \"type\": \"$add\", \"parameters\": { \"A_WIDTH\": 2, \"B_WIDTH\": 1, \"Y_WIDTH\": 1,\n\
             \"A_SIGNED\": 0, \"B_SIGNED\": 0 }, \"attributes\": {},\n\
             \"connections\": { \"A\": [3, 4], \"B\": [5], \"Y\": [6] } },\n\
             \"p\": { \"type\": \"$assert\", \"parameters\": {}, \"attributes\": {},\n\
             \"connections\": { \"A\": [5], \"EN\": [\"1\"] } } },\n\
             \"netnames\": { \"q\": { \"bits\": [5], \"attributes\": { \"init\": \"0\" } } } } } }\n",
        ],
    ),
];
