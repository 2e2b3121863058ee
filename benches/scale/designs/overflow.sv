// The sender and the receiver of `credit`, and the property that a user would write: the buffer
// does not overflow. That the counters add up has to be found.
module overflow #(
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

    assign sending = send && credits != 0;
    assign buffered = stored;
    wire taking = take && stored != 0;

    always @(posedge clk) begin
        if (sending && !taking) begin
            credits <= credits - 1'b1;
            stored <= stored + 1'b1;
        end else if (taking && !sending) begin
            credits <= credits + 1'b1;
            stored <= stored - 1'b1;
        end
    end

    always @(*) begin
        no_overflow: assert (stored <= CREDITS);
    end
endmodule
