// Follows a rotary encoder. Phase a leads phase b when it turns clockwise.
module quadrature (
    input  wire       clk,
    input  wire       rst,
    input  wire       a,
    input  wire       b,
    output reg  [1:0] position
);
    reg a_before;
    reg b_before;

    wire moved     = a ^ a_before ^ b ^ b_before;
    wire clockwise = a ^ b_before;

    always @(posedge clk) begin
        a_before <= a;
        b_before <= b;
        if (rst)
            position <= 2'd0;
        else if (moved)
            position <= clockwise ? position + 2'd1 : position - 2'd1;
    end
endmodule
