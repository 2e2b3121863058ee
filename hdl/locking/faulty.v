// Locking, after Fig. 10 of JSGB11: a loop that may take a lock and must give it back.
//
// The program is a machine with one statement per cycle; `pc` is the statement to be done
// next, numbered as in the figure, and END_OF_PROGRAM follows the loop. The conditions that
// the figure leaves open are inputs.
module locking (
    input  wire       clk,
    input  wire       want_lock,
    input  wire       go_on,
    output reg  [2:0] pc,
    output reg  [1:0] got_lock,
    output reg        L
);
    localparam [2:0] END_OF_PROGRAM = 3'd0;

    initial begin
        pc       = 3'd1;
        got_lock = 2'd0;
        L        = 1'b0;
    end

    // The next statement.
    always @(posedge clk) begin
        case (pc)
            3'd1: begin
                if (want_lock)              // line 1
                    pc <= 3'd2;
                else
                    pc <= 3'd4;
            end
            3'd2: pc <= 3'd3;
            3'd3: pc <= 3'd4;
            3'd4: begin
                if (got_lock != 2'd0)       // line 4
                    pc <= 3'd5;
                else
                    pc <= 3'd6;
            end
            3'd5: pc <= 3'd6;
            3'd6: pc <= 3'd7;
            3'd7: begin
                if (go_on)                  // line 7
                    pc <= 3'd1;
                else
                    pc <= END_OF_PROGRAM;
            end
            default: pc <= END_OF_PROGRAM;
        endcase
    end

    // What the statements do.
    always @(posedge clk) begin
        case (pc)
            3'd2: L <= 1'b1;                     // line 12
            3'd3: got_lock <= got_lock + 2'd1;   // line 3
            3'd5: L <= 1'b0;                     // line 22
            3'd6: got_lock <= got_lock - 2'd1;   // line 6
            default: ;
        endcase
    end
endmodule
