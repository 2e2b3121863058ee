// Two processes that share x and y, after Fig. 14 of JSGB11. In each cycle the input
// `arbiter` decides which process does its next statement; `pc_a` and `pc_b` are these
// statements, numbered as in the figure.
module critical_sections (
    input  wire       clk,
    input  wire       arbiter,
    output reg  [3:0] pc_a,
    output reg  [3:0] pc_b,
    output reg        x,
    output reg        y
);
    localparam PROCESS_A = 1'b0;

    reg flag1A;
    reg flag1B;
    reg turn1B;
    reg flag2A;
    reg flag2B;
    reg turn2B;

    initial begin
        pc_a   = 4'd1;
        pc_b   = 4'd1;
        flag1A = 1'b0;
        flag1B = 1'b0;
        turn1B = 1'b0;
        flag2A = 1'b0;
        flag2B = 1'b0;
        turn2B = 1'b0;
        x      = 1'b0;
        y      = 1'b0;
    end

    // The assignments.
    always @(posedge clk) begin
        if (arbiter == PROCESS_A)
            case (pc_a)
                4'd1:  flag1A <= 1'b1;               // A line 1
                4'd2:  turn1B <= 1'b1;               // A line 2
                4'd4:  x      <= x && y;             // A line 4
                4'd5:  flag1A <= 1'b0;               // A line 5
                4'd7:  flag2A <= 1'b1;               // A line 7
                4'd8:  turn2B <= 1'b1;               // A line 8
                4'd10: y      <= 1'b0;               // A line 10
                4'd11: flag2A <= 1'b0;               // A line 11
                default: ;
            endcase
        else
            case (pc_b)
                4'd1:  flag1B <= 1'b1;               // B line 1
                4'd2:  turn1B <= 1'b0;               // B line 2
                4'd4:  x      <= x && y;             // B line 4
                4'd5:  flag2B <= 1'b1;               // B line 5
                4'd6:  turn2B <= 1'b0;               // B line 6
                4'd8:  y      <= !y;                 // B line 8
                4'd9:  x      <= x || y;             // B line 9
                4'd10: flag2B <= 1'b0;               // B line 10
                4'd11: flag1B <= 1'b0;               // B line 11
                default: ;
            endcase
    end

    // The next statements. A `while` without a body is left when its condition is false.
    always @(posedge clk) begin
        if (arbiter == PROCESS_A)
            case (pc_a)
                4'd3: begin
                    if (flag1B && turn1B)            // A line 3
                        pc_a <= 4'd3;
                    else
                        pc_a <= 4'd4;
                end
                4'd6: begin
                    if (turn1B)                      // A line 6
                        pc_a <= 4'd7;
                    else
                        pc_a <= 4'd12;
                end
                4'd9: begin
                    if (flag2B && turn2B)            // A line 9
                        pc_a <= 4'd9;
                    else
                        pc_a <= 4'd10;
                end
                4'd12:   pc_a <= 4'd1;               // A line 12
                default: pc_a <= pc_a + 4'd1;
            endcase
        else
            case (pc_b)
                4'd3: begin
                    if (flag1A && !turn1B)           // B line 3
                        pc_b <= 4'd3;
                    else
                        pc_b <= 4'd4;
                end
                4'd7: begin
                    if (flag2A && !turn2B)           // B line 7
                        pc_b <= 4'd7;
                    else
                        pc_b <= 4'd8;
                end
                4'd12:   pc_b <= 4'd1;               // B line 12
                default: pc_b <= pc_b + 4'd1;
            endcase
    end
endmodule
