// A delay line of three taps with an enable.
module delay_line (
    input  wire clk,
    input  wire enable,
    input  wire in,
    output reg  tap1,
    output reg  tap2,
    output reg  tap3
);
    initial begin
        tap1 = 1'b0;
        tap2 = 1'b0;
        tap3 = 1'b0;
    end

    always @(posedge clk) begin
        if (enable) begin
            tap1 <= in;
            tap2 <= tap1;
            tap1 <= tap2;
        end
    end

`ifdef FORMAL
    default clocking @(posedge clk); endclocking
    first:  assert property (enable |=> tap1 == $past(in));
    second: assert property (enable |=> tap2 == $past(tap1));
    third:  assert property (enable |=> tap3 == $past(tap2));
    hold:   assert property (!enable |=> $stable({tap1, tap2, tap3}));
    initial zero: assert ({tap1, tap2, tap3} == 0);
`endif
endmodule
