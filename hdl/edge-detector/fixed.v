// One-cycle strobes on the edges of a synchronous signal.
module edge_detector (
    input  wire clk,
    input  wire level,
    output wire rise,
    output wire fall
);
    reg previous = 1'b0;

    always @(posedge clk)
        previous <= level;

    assign rise = level && !previous;
    assign fall = !level && previous;
endmodule
