// Program: fill, wash for three ticks, drain, spin for three ticks. The door is locked
// from start to end.
module washing_machine (
    input  wire clk,
    input  wire rst_n,
    input  wire start,
    input  wire full,
    input  wire empty,
    input  wire tick,
    output wire valve,
    output wire motor,
    output wire pump,
    output wire locked
);
    localparam [2:0] OFF   = 3'd0,
                     FILL  = 3'd1,
                     WASH  = 3'd2,
                     DRAIN = 3'd3,
                     SPIN  = 3'd4;

    reg [2:0] state;
    reg [1:0] ticks;

    wire timed   = state == WASH || state == SPIN;
    wire elapsed = tick && ticks == 2'd2;

    assign valve  = state == FILL;
    assign motor  = timed;
    assign pump   = state == DRAIN || state == SPIN;
    assign locked = state != OFF;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            state <= OFF;
            ticks <= 2'd0;
        end else begin
            if (!timed || elapsed)
                ticks <= 2'd0;
            else if (tick)
                ticks <= ticks + 2'd1;

            case (state)
                OFF:     if (start) state <= FILL;
                FILL:    if (full) state <= WASH;
                WASH:    if (elapsed) state <= SPIN;
                DRAIN:   if (empty) state <= SPIN;
                SPIN:    if (elapsed) state <= OFF;
                default: state <= OFF;
            endcase
        end
    end
endmodule
