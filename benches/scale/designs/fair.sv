// Grants in turn, by a one-hot token; a client that is granted keeps the grant until it is done.
// Whoever waits is granted, if each one is done at last. The client that is watched is chosen in
// the first step.
module fair #(
    parameter CLIENTS = 8,
    parameter INDEX = 3
) (
    input wire clk,
    input wire done,
    input wire [CLIENTS-1:0] request,
    input wire [INDEX-1:0] which,
    output reg [CLIENTS-1:0] grant
);
    reg [CLIENTS-1:0] token = 1;
    reg [CLIENTS-1:0] waiting = 0;
    initial grant = 0;

    wire [2*CLIENTS-1:0] twice = {waiting, waiting};
    wire [2*CLIENTS-1:0] first = twice & ~(twice - token);
    wire [CLIENTS-1:0] chosen = first[CLIENTS-1:0] | first[2*CLIENTS-1:CLIENTS];

    always @(posedge clk) begin
        waiting <= (waiting | request) & ~grant;
        if (grant == 0 || done) begin
            grant <= chosen;
            if (chosen != 0) token <= {chosen[CLIENTS-2:0], chosen[CLIENTS-1]};
        end
    end

    ends: assume property (s_eventually done);

    reg started = 1'b0;
    reg [INDEX-1:0] watched = 0;
    always @(posedge clk) begin
        started <= 1'b1;
        if (!started) watched <= which;
    end

    granted: assert property (s_eventually (!waiting[watched] || grant[watched]));
endmodule
