// Adds two decimal digits and a carry; the result is registered.
module bcd_adder (
    input  wire       clk,
    input  wire       rst,
    input  wire [3:0] a,
    input  wire [3:0] b,
    input  wire       carry_in,
    output reg  [3:0] digit,
    output reg        carry
);
    reg [4:0] sum;
    always @* begin
        sum = {1'b0, a} + {1'b0, b} + {4'b0000, carry_in};
        // Skip the six codes that are no digits.
        if (sum > 5'd9)
            sum = sum + 5'd6;
    end

    always @(posedge clk)
        if (rst)
            {carry, digit} <= 5'd0;
        else
            {carry, digit} <= sum;
endmodule
