// Collects four bits, the most significant first; `full` marks the fourth.
module serial_to_parallel (
    input  wire       clk,
    input  wire       rst,
    input  wire       enable,
    input  wire       serial,
    output reg  [3:0] parallel,
    output reg        full
);
    reg [1:0] count;

    always @(posedge clk) begin
        if (rst) begin
            parallel <= 4'b0000;
            count    <= 2'd0;
            full     <= 1'b0;
        end else begin
            full <= enable && count == 2'd3;
            if (enable) begin
                parallel <= {parallel[2:0], serial};
                count    <= count + 2'd1;
            end
        end
    end
endmodule
