// Master side of a four-phase handshake: request up, acknowledge up, request down,
// acknowledge down.
module four_phase (
    input  wire clk,
    input  wire rst,
    input  wire start,
    input  wire ack,
    output wire req,
    output wire done
);
    localparam [1:0] IDLE    = 2'd0,
                     REQUEST = 2'd1,
                     RELEASE = 2'd2;

    reg [1:0] state;

    assign req  = state == REQUEST;
    assign done = state == RELEASE && !ack;

    always @(posedge clk) begin
        if (rst)
            state <= IDLE;
        else
            case (state)
                IDLE:    if (start) state <= REQUEST;
                REQUEST: if (ack) state <= RELEASE;
                RELEASE: if (!ack) state <= IDLE;
                default: state <= IDLE;
            endcase
    end
endmodule
