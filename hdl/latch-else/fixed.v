// Door lock: the right key opens it, closing the door locks it again.
module door_lock (
    input  wire clk,
    input  wire rst,
    input  wire key,
    input  wire closed,
    output wire open
);
    localparam LOCKED = 1'b0, OPEN = 1'b1;

    reg state;
    reg next;

    always @* begin
        if (state == LOCKED && key)
            next = OPEN;
        else if (state == OPEN && closed && !key)
            next = LOCKED;
        else
            next = state;
    end

    always @(posedge clk)
        if (rst)
            state <= LOCKED;
        else
            state <= next;

    assign open = state == OPEN;
endmodule
