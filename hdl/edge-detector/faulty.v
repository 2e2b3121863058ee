// One-cycle strobes on the edges of a synchronous signal.
module edge_detector (
    input  wire clk,
    input  wire level,
    output wire rise,
    output wire fall
);
    reg before = 1'b0;

    always @(posedge clk)
        before <= level;

    assign rise = level && !before;
    assign fall = level && !before;
endmodule
