// Passes the reset on at the next edge and releases it three clock edges after the pin.
module reset_stretcher (
    input  wire clk,
    input  wire pin_n,
    output wire rst_out_n
);
    reg [2:0] chain = 3'b000;

    always @(posedge clk)
        if (!pin_n)
            chain <= 3'b000;
        else
            chain <= {chain[1:0], 1'b1};

    assign rst_out_n = chain[2];
endmodule
