// A linear-feedback shift register that can be seeded, and a flag for the state that it would
// never leave. Proofs need the one clause that the state is not zero.
module lfsr #(
    parameter WIDTH = 32
) (
    input wire clk,
    input wire step,
    input wire seed,
    input wire [WIDTH-1:0] value,
    output wire random
);
    reg [WIDTH-1:0] state = 1;
    reg stuck = 1'b0;

    wire feedback = state[WIDTH-1] ^ state[WIDTH/2] ^ state[2] ^ state[1];
    assign random = state[0];

    always @(posedge clk) begin
        stuck <= state == 0;
        if (seed) begin
            state <= value | 1'b1;
        end else if (step) begin
            state <= {state[WIDTH-2:0], feedback};
        end
    end

    always @(*) begin
        never_stuck: assert (!stuck);
    end
endmodule
