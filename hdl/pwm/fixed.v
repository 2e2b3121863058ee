// Pulse-width modulator with a period of eight cycles: the output is high for `duty`
// cycles of each, so 0 means never.
module pwm (
    input  wire       clk,
    input  wire [2:0] duty,
    output wire       out,
    output wire       period
);
    reg [2:0] phase = 3'd0;

    always @(posedge clk)
        phase <= phase + 3'd1;

    assign period = phase == 3'd7;
    assign out    = phase < duty;
endmodule
