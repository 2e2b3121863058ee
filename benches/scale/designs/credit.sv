// A sender with credits, a link of two stages, a receiver's buffer, and credits that come back.
// Proofs need that all of these add up to the number of credits there are.
module credit #(
    parameter WIDTH = 12,
    parameter CREDITS = 100
) (
    input wire clk,
    input wire send,
    input wire take,
    output wire sending,
    output wire [WIDTH-1:0] buffered
);
    reg [WIDTH-1:0] credits = CREDITS;
    reg [WIDTH-1:0] stored = 0;
    reg first = 1'b0;
    reg second = 1'b0;
    reg back = 1'b0;

    assign sending = send && credits != 0;
    assign buffered = stored;
    wire taking = take && stored != 0;

    always @(posedge clk) begin
        first <= sending;
        second <= first;
        back <= taking;
        case ({sending, back})
            2'b10: credits <= credits - 1'b1;
            2'b01: credits <= credits + 1'b1;
            default: credits <= credits;
        endcase
        case ({second, taking})
            2'b10: stored <= stored + 1'b1;
            2'b01: stored <= stored - 1'b1;
            default: stored <= stored;
        endcase
    end

    always @(*) begin
        no_credit_lost: assert (credits + stored + first + second + back == CREDITS);
    end
endmodule
