// Level bookkeeping of a three-entry FIFO; the storage is outside.
module fifo_level (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       push,
    input  wire       pop,
    output wire       full,
    output wire       empty,
    output reg  [1:0] level
);
    localparam [1:0] DEPTH = 2'd3;

    assign full  = level == DEPTH;
    assign empty = level == 2'd0;

    // Requests that cannot be served are ignored.
    wire do_push = push && !full;
    wire do_pop  = pop && !empty;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            level <= 2'd0;
        end else begin
            case ({do_push, do_pop})
                2'b11: level <= level + 2'd1;
                2'b01: level <= level - 2'd1;
                default: level <= level;
            endcase
        end
    end

`ifdef FORMAL
    // The reset is active in the first cycle, and then never again.
    initial assume (!rst_n);
    always @(posedge clk) if (!$initstate) assume (rst_n);
    default clocking @(posedge clk); endclocking
    default disable iff (!rst_n);
    start: assert property ($past(!rst_n) |-> level == 0);
    more:  assert property (push && !full && (!pop || empty) |=> level == $past(level) + 2'd1);
    less:  assert property (pop && !empty && (!push || full) |=> level == $past(level) - 2'd1);
    both:  assert property (push && pop && !full && !empty |=> $stable(level));
    idle:  assert property (!push && !pop |=> $stable(level));
    is_full:  assert property (full == (level == 3));
    is_empty: assert property (empty == (level == 0));
`endif
endmodule
