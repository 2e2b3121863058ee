// A FIFO against a scoreboard that follows one word, chosen by the input `follow`.
module fifo #(
    parameter DEPTH = 8,
    parameter WIDTH = 8,
    parameter INDEX = 3
) (
    input wire clk,
    input wire push,
    input wire pop,
    input wire [WIDTH-1:0] data_in,
    input wire follow,
    output wire [WIDTH-1:0] data_out,
    output wire full,
    output wire empty
);
    reg [WIDTH-1:0] memory [0:DEPTH-1];
    reg [INDEX-1:0] head = 0;
    reg [INDEX-1:0] tail = 0;
    reg [INDEX:0] level = 0;
    integer i;
    initial for (i = 0; i < DEPTH; i = i + 1) memory[i] = 0;

    assign full = level == DEPTH;
    assign empty = level == 0;
    assign data_out = memory[head];
    wire do_push = push && !full;
    wire do_pop = pop && !empty;

    always @(posedge clk) begin
        if (do_push) begin
            memory[tail] <= data_in;
            tail <= tail + 1'b1;
        end
        if (do_pop) begin
            head <= head + 1'b1;
        end
        if (do_push && !do_pop) begin
            level <= level + 1'b1;
        end else if (!do_push && do_pop) begin
            level <= level - 1'b1;
        end
    end

    reg following = 1'b0;
    reg [WIDTH-1:0] word = 0;
    reg [INDEX:0] ahead = 0;

    always @(posedge clk) begin
        if (!following) begin
            if (follow && do_push) begin
                following <= 1'b1;
                word <= data_in;
                ahead <= do_pop ? level - 1'b1 : level;
            end
        end else if (do_pop) begin
            if (ahead == 0) following <= 1'b0;
            else ahead <= ahead - 1'b1;
        end
    end

    always @(*) begin
        in_order: assert (!(following && ahead == 0) || (!empty && data_out == word));
    end
endmodule
