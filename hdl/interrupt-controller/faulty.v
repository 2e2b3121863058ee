// Latches events until software clears them. An event that comes in the same cycle as
// its acknowledge must not be lost.
module interrupt_controller (
    input  wire       clk,
    input  wire       rst,
    input  wire [1:0] event_in,
    input  wire [1:0] mask,
    input  wire       acknowledge,
    input  wire [1:0] which,
    output wire       irq,
    output reg  [1:0] pending
);
    wire [1:0] clear = acknowledge ? which : 2'b00;

    assign irq = (pending & mask) != 2'b00;

    always @(posedge clk)
        if (rst)
            pending <= 2'b00;
        else
            pending <= (pending | event_in) & ~clear;
endmodule
