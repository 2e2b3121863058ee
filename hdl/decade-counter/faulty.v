// One digit of a decimal counter: counts enabled cycles from 0 to 9.
module decade_counter (
    input  wire       clk,
    input  wire       rst,
    input  wire       en,
    output reg  [3:0] digit,
    output wire       carry
);
    localparam [3:0] LAST = 4'd9;

    // The carry enables the next digit in the cycle in which this one wraps.
    assign carry = en && digit == LAST;

    always @(posedge clk) begin
        if (rst)
            digit <= 4'd0;
        else if (en) begin
            if (digit > LAST)
                digit <= 4'd0;
            else
                digit <= digit + 4'd1;
        end
    end
endmodule
