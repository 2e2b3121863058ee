// Fibonacci LFSR with the polynomial x^4 + x^3 + 1: fifteen states, never all zero.
module lfsr (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       run,
    output reg  [3:0] state
);
    wire feedback = state[3] ^ state[1];

    always @(posedge clk or negedge rst_n)
        if (!rst_n)
            state <= 4'b0001;
        else if (run)
            state <= {state[2:0], feedback};
endmodule
