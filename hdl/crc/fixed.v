// Bit-serial CRC with the polynomial x^3 + x + 1. Sending the remainder after the
// message leaves a remainder of zero.
module crc3 (
    input  wire       clk,
    input  wire       rst,
    input  wire       valid,
    input  wire       data,
    output reg  [2:0] crc
);
    wire feedback = crc[2] ^ data;

    always @(posedge clk) begin
        if (rst)
            crc <= 3'b000;
        else if (valid) begin
            crc[0] <= feedback;
            crc[1] <= crc[0] ^ feedback;
            crc[2] <= crc[1];
        end
    end
endmodule
