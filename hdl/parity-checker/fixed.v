// Even parity over frames of four bits and a parity bit.
module parity_checker (
    input  wire clk,
    input  wire rst,
    input  wire bit_in,
    output reg  error,
    output wire frame_end
);
    reg [2:0] position;
    reg       parity;

    assign frame_end = position == 3'd4;

    always @(posedge clk) begin
        if (rst) begin
            position <= 3'd0;
            parity   <= 1'b0;
            error    <= 1'b0;
        end else if (frame_end) begin
            position <= 3'd0;
            parity   <= 1'b0;
            error    <= parity != bit_in;
        end else begin
            position <= position + 3'd1;
            parity   <= parity ^ bit_in;
        end
    end
endmodule
