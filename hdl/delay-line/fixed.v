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
            tap3 <= tap2;
        end
    end
endmodule
