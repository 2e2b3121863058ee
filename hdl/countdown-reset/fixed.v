// Counts ticks down from PERIOD - 1 and strobes `expired` on the last one.
module countdown #(
    parameter [2:0] PERIOD = 3'd6
) (
    input  wire clk,
    input  wire rst,
    input  wire tick,
    output wire expired
);
    reg [2:0] left;

    wire last = left == 3'd0;

    assign expired = tick && last;

    always @(posedge clk)
        if (rst)
            left <= PERIOD - 3'd1;
        else if (tick)
            left <= last ? PERIOD - 3'd1 : left - 3'd1;
endmodule
