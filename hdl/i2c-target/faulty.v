// Counts the bits of a byte on an I2C bus and pulls `sda` for the acknowledge bit. The
// inputs are synchronous; `scl_fall` is a strobe.
module i2c_target (
    input  wire clk,
    input  wire rst,
    input  wire scl,
    input  wire scl_fall,
    input  wire sda,
    output reg  active,
    output wire pull_sda
);
    localparam [3:0] BITS = 4'd7;

    reg       sda_before;
    reg [3:0] count;

    // While the clock is high, a falling edge of the data line starts a transfer and a
    // rising edge ends it.
    wire start = scl && sda_before && !sda;
    wire stop  = scl && !sda_before && sda;

    assign pull_sda = active && count == BITS + 4'd1;

    always @(posedge clk)
        if (rst)
            sda_before <= 1'b1;
        else
            sda_before <= sda;

    always @(posedge clk) begin
        if (rst) begin
            active <= 1'b0;
            count  <= 4'd0;
        end else if (start) begin
            active <= 1'b1;
            count  <= 4'd0;
        end else if (stop) begin
            active <= 1'b0;
        end else if (active && scl_fall) begin
            // The first falling edge belongs to the start condition.
            count <= pull_sda ? 4'd1 : count + 4'd1;
        end
    end
endmodule
