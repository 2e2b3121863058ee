// Moving sum over a window of two samples; `previous` is the older one.
module moving_sum (
    input  wire       clk,
    input  wire       take,
    input  wire [1:0] sample,
    output reg  [2:0] sum
);
    reg [1:0] previous;

    initial begin
        previous = 2'd0;
        sum      = 3'd0;
    end

    always @(posedge clk) begin
        if (take) begin
            previous <= sample;
            sum <= {1'b0, sample} + {1'b0, previous};
        end
    end
endmodule
