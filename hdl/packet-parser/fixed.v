// Parses packets {header, payload words}. The header is a struct; a packet of length zero
// has no payload.
module packet_parser (
    input  logic       clk,
    input  logic       rst,
    input  logic       valid,
    input  logic [3:0] word,
    output logic       header_seen,
    output logic       payload,
    output logic       last,
    output logic       urgent
);
    typedef struct packed {
        logic       urgent;
        logic       reserved;
        logic [1:0] length;
    } header_t;

    typedef enum logic {HEADER, PAYLOAD} state_t;

    state_t     state;
    header_t    header;
    logic [1:0] left;

    assign header      = word;
    assign header_seen = valid && state == HEADER;
    assign payload     = valid && state == PAYLOAD;
    assign last        = payload && left == 2'd1;

    always_ff @(posedge clk) begin
        if (rst) begin
            state  <= HEADER;
            left   <= 2'd0;
            urgent <= 1'b0;
        end else if (valid) begin
            case (state)
                HEADER: begin
                    urgent <= header.urgent;
                    left   <= header.length;
                    if (header.length != 2'd0)
                        state <= PAYLOAD;
                end
                PAYLOAD: begin
                    left <= left - 2'd1;
                    if (left == 2'd1)
                        state <= HEADER;
                end
            endcase
        end
    end
endmodule
