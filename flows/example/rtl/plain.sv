// Counts from 0 to 5; the assertions are as Yosys reads them.
module plain (
    input  wire       clk,
    input  wire       up,
    output reg  [2:0] value
);
    initial value = 3'd0;

    always @(posedge clk)
        if (up) value <= (value == 3'd6) ? 3'd0 : value + 3'd1;

`ifdef FORMAL
    reg past_valid = 1'b0;
    always @(posedge clk) past_valid <= 1'b1;

    limit: assert property (value <= 5);

    always @(posedge clk)
        if (past_valid && $past(up) && $past(value) != 5)
            step: assert (value == $past(value) + 3'd1);
`endif
endmodule
