// A binary counter whose registered gray code crosses clock domains.
module gray_counter (
    input  wire       clk,
    input  wire       rst,
    input  wire       en,
    output reg  [3:0] gray
);
    reg  [3:0] binary;
    wire [3:0] next = binary + {3'b000, en};

    function [3:0] to_gray;
        input [3:0] value;
        to_gray = value ^ (value >> 2);
    endfunction

    always @(posedge clk) begin
        if (rst) begin
            binary <= 4'd0;
            gray   <= 4'd0;
        end else begin
            binary <= next;
            gray   <= to_gray(next);
        end
    end
endmodule
