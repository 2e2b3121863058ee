// Counts ticks up to nine and starts again; the reset is asynchronous.
module tick_counter (
    input  wire       clk,
    input  wire       rst,
    input  wire       tick,
    output reg  [3:0] count,
    output wire       last
);
    assign last = count == 4'd9;

    always @(posedge clk or posedge rst) begin
        if (!rst)
            count <= 4'd0;
        else if (tick)
            count <= last ? 4'd0 : count + 4'd1;
    end
endmodule
