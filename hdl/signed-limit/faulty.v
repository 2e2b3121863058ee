// Limits a signed sample to the range from -3 to 3.
module signed_limit (
    input  wire              clk,
    input  wire signed [3:0] sample,
    output reg  signed [3:0] limited
);
    localparam signed [3:0] LOW  = -4'sd3;
    localparam signed [3:0] HIGH = 4'sd3;

    wire above = sample > HIGH;
    wire below = $unsigned(sample) < LOW;

    initial limited = 4'sd0;

    always @(posedge clk)
        limited <= above ? HIGH : below ? LOW : sample;
endmodule
