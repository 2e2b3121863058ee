// Shares a memory between a host and the refresh. A refresh is due every eight cycles and
// waits for the end of the access under way, which takes two cycles.
module refresh_controller (
    input  logic clk,
    input  logic rst,
    input  logic request,
    output logic access,
    output logic refresh,
    output logic busy
);
    localparam logic [2:0] PERIOD = 3'd7;

    typedef enum logic [1:0] {IDLE, FIRST, SECOND, REFRESH} state_t;

    state_t     state;
    logic [2:0] timer;
    logic       due;

    assign access  = state == FIRST || state == SECOND;
    assign refresh = state == REFRESH;
    assign busy    = state != IDLE;

    always_ff @(posedge clk)
        if (rst || timer == PERIOD)
            timer <= 3'd0;
        else
            timer <= timer + 3'd1;

    // Remembers that a refresh is wanted until it is made.
    always_ff @(posedge clk) begin
        if (rst)
            due <= 1'b0;
        else if (timer == PERIOD)
            due <= 1'b1;
        else if (busy)
            due <= 1'b0;
    end

    always_ff @(posedge clk) begin
        if (rst)
            state <= IDLE;
        else begin
            case (state)
                IDLE:    state <= due ? REFRESH : request ? FIRST : IDLE;
                FIRST:   state <= SECOND;
                default: state <= IDLE;
            endcase
        end
    end
endmodule
