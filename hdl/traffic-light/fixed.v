// Traffic light of a junction. Green lasts until the timer says so, yellow one tick.
module traffic_light (
    input  logic clk,
    input  logic rst,
    input  logic timer,
    input  logic car,
    output logic main_green,
    output logic main_yellow,
    output logic side_green,
    output logic side_yellow
);
    typedef enum logic [1:0] {MAIN_GO, MAIN_SLOW, SIDE_GO, SIDE_SLOW} state_t;
    state_t state, next;

    always_comb begin
        next = state;
        case (state)
            MAIN_GO:   if (timer && car) next = MAIN_SLOW;
            MAIN_SLOW: next = SIDE_GO;
            SIDE_GO:   if (timer || !car) next = SIDE_SLOW;
            SIDE_SLOW: next = MAIN_GO;
        endcase
    end

    always_ff @(posedge clk)
        if (rst) state <= MAIN_GO;
        else     state <= next;

    assign main_green  = state == MAIN_GO;
    assign main_yellow = state == MAIN_SLOW;
    assign side_green  = state == SIDE_GO;
    assign side_yellow = state == SIDE_SLOW;
endmodule
