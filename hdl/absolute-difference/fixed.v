// Distance of two unsigned samples, one cycle later. The samples are kept next to the
// result so that a reader sees which pair it belongs to.
module absolute_difference (
    input  wire       clk,
    input  wire [2:0] a,
    input  wire [2:0] b,
    output reg  [2:0] a_used,
    output reg  [2:0] b_used,
    output reg  [2:0] difference
);
    initial begin
        a_used     = 3'd0;
        b_used     = 3'd0;
        difference = 3'd0;
    end

    always @(posedge clk) begin
        a_used <= a;
        b_used <= b;
        if (a > b)
            difference <= a - b;
        else
            difference <= b - a;
    end
endmodule
