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

`ifdef FORMAL
    // The reset is active in the first cycle, and then never again.
    initial assume (rst);
    always @(posedge clk) if (!$initstate) assume (!rst);
    default clocking @(posedge clk); endclocking
    default disable iff (rst);
    range: assert property (digit <= 9);
    start: assert property ($past(rst) |-> digit == 0);
    step:  assert property (en && digit < 9 |=> digit == $past(digit) + 4'd1);
    hold:  assert property (!en |=> $stable(digit));
    wrap:  assert property (en && digit == 9 |=> digit == 0);
    last:  assert property (carry == (en && digit == 9));
`endif
endmodule
