// Grants in turn, by a one-hot token. Proofs of mutual exclusion need that there is one token.
module arbiter #(
    parameter CLIENTS = 8
) (
    input wire clk,
    input wire [CLIENTS-1:0] request,
    output reg [CLIENTS-1:0] grant
);
    reg [CLIENTS-1:0] token = 1;
    initial grant = 0;

    // The first request at the token or behind it: subtraction clears the bits below.
    wire [2*CLIENTS-1:0] twice = {request, request};
    wire [2*CLIENTS-1:0] first = twice & ~(twice - token);
    wire [CLIENTS-1:0] chosen = first[CLIENTS-1:0] | first[2*CLIENTS-1:CLIENTS];

    always @(posedge clk) begin
        grant <= chosen;
        if (chosen != 0) begin
            token <= {chosen[CLIENTS-2:0], chosen[CLIENTS-1]};
        end
    end

    always @(*) begin
        mutex: assert ((grant & (grant - 1'b1)) == 0);
    end
endmodule
