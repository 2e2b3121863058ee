// Moves one floor per cycle towards the latched call and opens the door there.
module elevator (
    input  logic       clk,
    input  logic       rst,
    input  logic       call,
    input  logic [1:0] wanted,
    output logic [1:0] floor,
    output logic       door
);
    logic       busy;
    logic [1:0] target;

    assign door = !busy;

    always_ff @(posedge clk) begin
        if (rst) begin
            floor  <= 2'd0;
            target <= 2'd0;
            busy   <= 1'b0;
        end else if (!busy) begin
            if (call) begin
                target <= wanted;
                busy   <= 1'b1;
            end
        end else if (target == floor) begin
            busy <= 1'b0;
        end else if (target != floor) begin
            floor <= floor + 2'd1;
        end else begin
            floor <= floor - 2'd1;
        end
    end
endmodule
