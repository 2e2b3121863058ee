// Four one-bit registers, one write port, two read ports. A read in the cycle of a write
// sees the new value.
module register_file (
    input  wire       clk,
    input  wire       we,
    input  wire [1:0] waddr,
    input  wire       wdata,
    input  wire [1:0] raddr1,
    input  wire [1:0] raddr2,
    output wire       rdata1,
    output wire       rdata2
);
    reg [3:0] file = 4'b0000;

    always @(posedge clk)
        if (we)
            file[waddr] <= wdata;

    assign rdata1 = (we && waddr == raddr1) ? wdata : file[raddr1];
    assign rdata2 = (we && waddr == raddr1) ? wdata : file[raddr2];
endmodule
