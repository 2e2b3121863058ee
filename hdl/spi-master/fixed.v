// Shifts four bits out on the falling edge of `sck` and in on the rising one.
module spi_master (
    input  wire       clk,
    input  wire       rst,
    input  wire       go,
    input  wire [3:0] tx,
    input  wire       miso,
    output reg        sck,
    output wire       mosi,
    output reg        cs_n,
    output reg  [3:0] rx
);
    reg [3:0] shift;
    reg [1:0] left;

    assign mosi = shift[3];

    always @(posedge clk) begin
        if (rst) begin
            cs_n <= 1'b1;
            sck  <= 1'b0;
            left <= 2'd0;
        end else if (cs_n) begin
            if (go) begin
                cs_n  <= 1'b0;
                shift <= tx;
                left  <= 2'd3;
            end
        end else if (!sck) begin
            sck <= 1'b1;
            rx  <= {rx[2:0], miso};
        end else begin
            sck   <= 1'b0;
            shift <= {shift[2:0], 1'b0};
            left  <= left - 2'd1;
            if (left == 2'd0)
                cs_n <= 1'b1;
        end
    end
endmodule
