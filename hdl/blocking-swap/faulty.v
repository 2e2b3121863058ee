// Exchanges two values on request, as in a bubble sorter.
module swapper (
    input  wire       clk,
    input  wire       load,
    input  wire       swap,
    input  wire [1:0] a,
    input  wire [1:0] b,
    output reg  [1:0] left,
    output reg  [1:0] right
);
    initial begin
        left  = 2'd0;
        right = 2'd0;
    end

    always @(posedge clk) begin
        if (load) begin
            left  <= a;
            right <= b;
        end else if (swap) begin
            left  = right;
            right <= left;
        end
    end
endmodule
