// Counts between 0 and 5 and does not wrap in either direction.
module updown (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       up,
    input  wire       down,
    output reg  [2:0] value
);
    wire at_top    = value == 3'd5;
    wire at_bottom = value == 3'd0;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)
            value <= 3'd0;
        else if (up && !down && !at_top)
            value <= value - 3'd1;
        else if (down && !up && !at_bottom)
            value <= value - 3'd1;
    end

`ifdef FORMAL
    // The reset is active in the first cycle, and then never again.
    initial assume (!rst_n);
    always @(posedge clk) if (!$initstate) assume (rst_n);
    default clocking @(posedge clk); endclocking
    default disable iff (!rst_n);
    zero:   assert property ($past(!rst_n) |-> value == 0);
    limits: assert property (value <= 5);
    rise:   assert property (up && !down && value != 5 |=> value == $past(value) + 3'd1);
    fall:   assert property (down && !up && value != 0 |=> value == $past(value) - 3'd1);
    stay:   assert property (up == down || up && value == 5 || down && value == 0 |=> $stable(value));
`endif
endmodule
