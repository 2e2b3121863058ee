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
            value <= value + 3'd1;
        else if (down && !up && !at_bottom)
            value <= value - 3'd1;
    end
endmodule
