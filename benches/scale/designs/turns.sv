// Round robin by the number of the last client: one that waits sees each other client served at
// most once. The client that is watched is chosen in the first step.
module turns #(
    parameter CLIENTS = 8,
    parameter INDEX = 3
) (
    input wire clk,
    input wire [CLIENTS-1:0] request,
    input wire [INDEX-1:0] which,
    output wire [CLIENTS-1:0] grant
);
    reg [CLIENTS-1:0] waiting = 0;
    reg [INDEX-1:0] last = 0;

    reg found;
    reg [INDEX-1:0] next;
    reg [INDEX-1:0] candidate;
    integer i;
    always @(*) begin
        found = 1'b0;
        next = last;
        candidate = last;
        for (i = 0; i < CLIENTS; i = i + 1) begin
            candidate = candidate + 1'b1;
            if (!found && waiting[candidate]) begin
                found = 1'b1;
                next = candidate;
            end
        end
    end
    assign grant = found ? {{CLIENTS-1{1'b0}}, 1'b1} << next : {CLIENTS{1'b0}};

    always @(posedge clk) begin
        waiting <= (waiting & ~grant) | request;
        if (found) last <= next;
    end

    reg chosen = 1'b0;
    reg [INDEX-1:0] watched = 0;
    reg [INDEX:0] others = 0;
    always @(posedge clk) begin
        chosen <= 1'b1;
        if (!chosen) watched <= which;
        if (!chosen || !waiting[watched] || grant[watched]) others <= 0;
        else if (found && others <= CLIENTS) others <= others + 1'b1;
    end

    always @(*) begin
        in_turn: assert (others < CLIENTS);
    end
endmodule
