// Adds unsigned samples and sticks at the largest value instead of wrapping.
module saturating_accumulator (
    input  wire       clk,
    input  wire       rst,
    input  wire       clear,
    input  wire [2:0] sample,
    output reg  [3:0] total
);
    localparam [3:0] MAXIMUM = 4'd14;

    wire [4:0] sum      = {1'b0, total} + {2'b00, sample};
    wire       overflow = sum[4];

    always @(posedge clk) begin
        if (rst || clear)
            total <= 4'd0;
        else
            total <= overflow ? MAXIMUM : sum[3:0];
    end
endmodule
