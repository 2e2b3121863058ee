//! Modules that people write and the generator does not: each is proved equal to what Yosys makes
//! of it with `read_slang`.

/// The name of the module, and its text.
pub const WRITTEN: &[(&str, &str)] = &[
    ("typed_pattern", "
module typed_pattern(input [7:0] x, y, output [7:0] p, q, output [3:0] r);
  typedef struct packed {logic [5:0] h; logic [1:0] l;} t;
  logic [1:0][3:0] w; assign w = t'{x[5:0], y[1:0]};
  assign p = w; assign q = t'{l: x[1:0], h: y[5:0]} ^ x; assign r = t'{default: x[0]} >> 2; endmodule"),
    ("pattern_by_type", "
module pattern_by_type(input [7:0] x, output [7:0] p, q, output [3:0] r);
  typedef struct packed {int i; logic [3:0] h; int j;} t; t s;
  assign s = '{int: 5, default: x[3:0]}; assign p = s.i + x; assign q = s.j; assign r = s.h; endmodule"),
    ("fields_of_elements", "
module fields_of_elements(input [7:0] x, y, output [1:0] p, q, output [3:0] r, output [2:0] s);
  typedef struct packed {logic [1:0] a; logic [1:0] v;} t; typedef struct packed {t [1:0] x; logic l;} u;
  t w [2]; t [1:0] k; u n; localparam t [1:0] K = 8'h9c;
  assign w[0] = x; assign w[1] = y; assign k = x; assign n.x[0] = y; assign n.x[1] = {n.x[0].v, n.x[0].a}; assign n.l = x[0];
  assign p = w[1].a; assign q = k[1].v ^ K[0].a; assign r = {n.x[1].a, n.x[0].v}; assign s = {n.l, n.x[1].a[1], w[0].v[0]}; endmodule"),
    ("casts", "
module casts(input [7:0] x, input signed [3:0] s, output [15:0] p, q, output r, output [31:0] n);
  assign p = int'(s); assign q = byte'(x) + shortint'(s); assign r = logic'(x);
  assign n = $bits(int) + $bits(byte); endmodule"),
    ("wild_parameters", "
module wild_parameters(input [3:0] x, output logic y, z, output v, w);
  localparam [3:0] P = 4'b1??0; parameter [3:0] Q = 4'b0x1?;
  always_comb casez (x) P: y = 1; 4'b0?11: y = 0; default: y = x[0]; endcase
  always_comb case (x) inside Q: z = 1; [8:9]: z = 0; default: z = x[1]; endcase
  assign v = x ==? P; assign w = x inside {P, 3}; endmodule"),
    ("shaped_parameters", "
package shapes; typedef struct packed {logic [3:0] a; logic b;} t; endpackage
module shaped #(parameter int A [2] = '{3, 5}, parameter shapes::t K = '{a: 1, b: 0})(input i, output [7:0] y, output [4:0] z);
  assign y = A[i]; assign z = K; endmodule
module shaped_parameters(input i, output [7:0] y, v, output [4:0] z, w);
  localparam int B [2] = '{7, 9};
  shaped #(.A('{1, 2}), .K('{b: 1, a: 6})) u(i, y, z); shaped #(.A(B)) k(i, v, w); endmodule"),
    ("interface_array", "
interface lane; logic [3:0] d; logic v; endinterface
module source(lane b, input [3:0] x); assign b.d = x; assign b.v = ^x; endmodule
module interface_array(input [7:0] x, output [3:0] y, output z);
  lane u [2] (); for (genvar i = 0; i < 2; i++) begin : g source k(.b(u[i]), .x(x[4*i +: 4])); end
  assign y = u[0].d - u[1].d; assign z = u[1].v; endmodule"),
    ("interface_ports", "
interface lane2; logic [3:0] d; endinterface
module fill(lane2 b [1:0], input [3:0] x); assign b[1].d = x; assign b[0].d = ~x; endmodule
module fill_one(interface b, input [3:0] x); assign b.d = x + 1; endmodule
module interface_ports(input [3:0] x, output [3:0] y, z, w);
  lane2 u [2] (); lane2 k(); fill i(u, x); fill_one j(k, x);
  assign y = u[0].d; assign z = u[1].d; assign w = k.d; endmodule"),
    ("interface_function", "
interface sum; logic [3:0] d; function automatic logic [3:0] next(input logic [3:0] k); return d + k; endfunction
  modport user(input d, import next); endinterface
module reader(sum.user b, output [3:0] y); assign y = b.next(3); endmodule
module interface_function(input [3:0] x, output [3:0] y, z);
  sum u(); assign u.d = x; reader r(u, y); assign z = u.next(x); endmodule"),
    ("enumeration_ranges", "
module enumeration_ranges(input [1:0] x, output [3:0] y);
  typedef enum logic [3:0] {A[3], B[5:4] = 8, C} t; t s;
  always_comb case (x) 0: s = A2; 1: s = B5; 2: s = B4; default: s = C; endcase
  assign y = s; endmodule"),
    ("signed_structure", "
module signed_structure(input [7:0] x, output p, output [11:0] q);
  struct packed signed {logic [3:0] h, l;} s; assign s = x; assign p = s < 0; assign q = s; endmodule"),
    ("text_parameter", r#"
module chosen #(parameter string MODE = "SLOW")(input a, output y); if (MODE == "FAST") assign y = a; else assign y = !a; endmodule
module text_parameter(input a, output y, z); chosen #(.MODE("FAST")) u(a, y); chosen k(a, z); endmodule"#),
    ("exported", "
package first; parameter A = 3; endpackage
package second; import first::*; export first::*; parameter B = A + 1; endpackage
module exported(output [3:0] y); import second::*; assign y = A * B; endmodule"),
    ("named_memory", r#"
module rom #(parameter FILE = "")(input [2:0] i, output [7:0] q); reg [7:0] w [0:7]; initial $readmemh(FILE, w); assign q = w[i]; endmodule
module named_memory(input [2:0] i, output [7:0] q); rom #(.FILE("words0.txt")) u(i, q); endmodule"#),
    ("enabled_buffers", "
module enabled_buffers(input a, b, c, output p, q);
  wire v, w; bufif1 g(v, a, b); notif0 (w, a, c); assign p = b & v; assign q = !c & w; endmodule"),
];
