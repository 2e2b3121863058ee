// Two enables from one clock: `fast` every third cycle, `slow` on every second `fast`.
module divider #(
    parameter [1:0] COUNT = 2'd3
) (
    input  wire clk,
    input  wire rst,
    input  wire step,
    output wire carry
);
    reg [1:0] value;

    assign carry = step && value == COUNT - 2'd1;

    always @(posedge clk)
        if (rst)
            value <= 2'd0;
        else if (carry)
            value <= 2'd0;
        else if (step)
            value <= value + 2'd1;
endmodule

module clock_enable (
    input  wire clk,
    input  wire rst,
    output wire fast,
    output wire slow
);
    divider #(.COUNT(2'd3)) by_three (.clk(clk), .rst(rst), .step(1'b1), .carry(fast));
    divider #(.COUNT(2'd2)) by_two (.clk(clk), .rst(rst), .step(fast), .carry(slow));
endmodule
