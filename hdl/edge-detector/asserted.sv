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
    assign fall = level && !previous;

`ifdef FORMAL
    reg past_valid = 1'b0;
    always @(posedge clk) past_valid <= 1'b1;

    always @(posedge clk) begin
        not_both: assert (!(rise && fall));
        if (past_valid) begin
            rises: assert (rise == $rose(level));
            falls: assert (fall == $fell(level));
        end else begin
            first_rise: assert (rise == level);
            first_fall: assert (!fall);
        end
    end
`endif
endmodule
