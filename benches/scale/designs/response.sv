// Clients in a ring: a token visits them in turn and waits for a server that is ready again and
// again. The last client's request is answered.
module response #(
    parameter CLIENTS = 8
) (
    input wire clk,
    input wire ready,
    input wire [CLIENTS-1:0] request,
    output wire [CLIENTS-1:0] answer
);
    reg [CLIENTS-1:0] token = 1;
    reg [CLIENTS-1:0] pending = 0;
    assign answer = token & pending & {CLIENTS{ready}};
    wire move = ready || (token & pending) == 0;

    always @(posedge clk) begin
        pending <= (pending | request) & ~answer;
        if (move) token <= {token[CLIENTS-2:0], token[CLIENTS-1]};
    end

    server: assume property (s_eventually ready);
    answered: assert property (s_eventually (!pending[CLIENTS-1] || answer[CLIENTS-1]));
endmodule
