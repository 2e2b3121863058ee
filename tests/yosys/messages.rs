//! Netlists that are refused.

use super::{folder, respin, yosys};

fn refuses(name: &str, text: &str, code: &str, word: &str) {
    let folder = folder(&format!("refused-{name}"));
    std::fs::write(folder.join("a.json"), text).expect("a file");
    let (output, problems, status) = respin(&["verify", "-q", "a.json"], &folder);
    assert_eq!(status, 2, "{name}: {output}");
    assert!(
        problems.contains(code) && problems.contains(word),
        "{name}: {problems}"
    );
}

fn netlist(source: &str, passes: &str) -> String {
    let folder = folder("made");
    std::fs::write(folder.join("a.sv"), source).expect("a design");
    let script = format!("read_verilog -sv -formal a.sv; {passes}; write_json a.json");
    yosys(&["-q", "-p", &script], &folder).expect("a netlist");
    std::fs::read_to_string(folder.join("a.json")).expect("a netlist")
}

#[test]
fn what_is_no_netlist_is_refused() {
    refuses("not_json", "module m;", "R0323", "write_json");
    refuses(
        "truncated",
        "{ \"modules\": { \"m\": { \"ports\": ",
        "R0323",
        "write_json",
    );
    refuses("wrong_shape", "{ \"modules\": [1, 2] }", "R0323", "object");
    refuses("empty", "{ \"modules\": {} }", "R0311", "no module");
    refuses(
        "huge_bit",
        "{ \"modules\": { \"m\": { \"ports\": { \"a\": { \"direction\": \"input\", \"bits\": [-1] } } } } }",
        "R0323",
        "",
    );
}

#[test]
fn cells_that_are_not_supported_say_what_to_do() {
    let latch = "module m (input g, input d, output reg q); always @* if (g) q = d; endmodule";
    refuses("latch", &netlist(latch, "prep"), "R0324", "no latches");
    let memory = "module m (input clk, input [1:0] a, input d, output q); reg mem [0:3]; always @(posedge clk) mem[a] <= d; assign q = mem[a]; endmodule";
    refuses("memory", &netlist(memory, "prep"), "R032", "memory_map");
    let instance = "module m (input a, output b); inner u (a, b); endmodule module inner (input a, output b); assign b = ~a; endmodule";
    refuses(
        "instance",
        &netlist(instance, "prep -top m"),
        "R0324",
        "flatten",
    );
    let clocks = "module m (input c, input d, input x, output reg p, q); always @(posedge c) p <= x; always @(posedge d) q <= x; endmodule";
    refuses("clocks", &netlist(clocks, "prep"), "R0318", "two clocks");
    let divide = "module m (input [3:0] a, b, output [3:0] q); assign q = a / b; endmodule";
    refuses("divide", &netlist(divide, "prep"), "R0324", "techmap");
}
