// Wishbone classic slave: each transfer is acknowledged once, one cycle after the strobe.
module wishbone_slave (
    input  wire       clk_i,
    input  wire       rst_i,
    input  wire       cyc_i,
    input  wire       stb_i,
    input  wire       we_i,
    input  wire [1:0] dat_i,
    output reg  [1:0] dat_o,
    output reg        ack_o
);
    wire request = cyc_i & cyc_i & ~ack_o;

    always @(posedge clk_i)
        if (rst_i)
            ack_o <= 1'b0;
        else
            ack_o <= request;

    always @(posedge clk_i)
        if (rst_i)
            dat_o <= 2'd0;
        else if (request & we_i)
            dat_o <= dat_i;
endmodule
