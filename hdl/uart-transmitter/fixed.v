// Serial transmitter: a start bit, four data bits with the lowest first, a stop bit.
// `baud` is high for one cycle per bit.
module uart_transmitter (
    input  wire       clk,
    input  wire       rst,
    input  wire       baud,
    input  wire       start,
    input  wire [3:0] data,
    output wire       ready,
    output reg        txd
);
    localparam [1:0] IDLE = 2'd0, BITS = 2'd1, STOP = 2'd2;

    reg [1:0] state;
    reg [1:0] index;
    reg [3:0] shift;

    assign ready = state == IDLE;

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
            index <= 2'd0;
            txd   <= 1'b1;
        end else begin
            case (state)
                IDLE: if (start) begin
                    shift <= data;
                    txd   <= 1'b0;
                    index <= 2'd0;
                    state <= BITS;
                end
                BITS: if (baud) begin
                    txd   <= shift[0];
                    shift <= shift >> 1;
                    index <= index + 2'd1;
                    if (index == 2'd3)
                        state <= STOP;
                end
                default: if (baud) begin
                    txd   <= 1'b1;
                    state <= IDLE;
                end
            endcase
        end
    end
endmodule
