// Synchronous FIFO. The pointers carry one more bit than the address: the FIFO is full
// when the addresses agree and the extra bits do not.
module fifo #(
    parameter ADDRESS = 2
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       push,
    input  wire       din,
    input  wire       pop,
    output wire       dout,
    output wire       full,
    output wire       empty
);
    reg [ADDRESS:0] wr_ptr;
    reg [ADDRESS:0] rd_ptr;
    reg             mem [0:(1 << ADDRESS) - 1];

    wire same_slot = wr_ptr[ADDRESS-1:0] == rd_ptr[ADDRESS-1:0];

    assign full  = same_slot && wr_ptr[ADDRESS] == rd_ptr[ADDRESS];
    assign empty = wr_ptr == rd_ptr;
    assign dout  = mem[rd_ptr[ADDRESS-1:0]];

    wire do_push = push && !full;
    wire do_pop  = pop && !empty;

    always @(posedge clk)
        if (rst) begin
            wr_ptr <= 0;
            rd_ptr <= 0;
        end else begin
            if (do_push)
                wr_ptr <= wr_ptr + 1'b1;
            if (do_pop)
                rd_ptr <= rd_ptr + 1'b1;
        end

    always @(posedge clk)
        if (do_push)
            mem[wr_ptr[ADDRESS-1:0]] <= din;

`ifdef FORMAL
    // The reset is active in the first cycle, and then never again.
    initial assume (rst);
    always @(posedge clk) if (!$initstate) assume (!rst);
    default clocking @(posedge clk); endclocking
    default disable iff (rst);
    never_both: assert property (!(full && empty));
    starts:     assert property ($past(rst) |-> empty);
    full_at:    assert property (full == (wr_ptr - rd_ptr == 3'd4));
    empty_at:   assert property (empty == (wr_ptr == rd_ptr));
    // What is pushed into an empty FIFO comes out next.
    first_in:   assert property (empty && push |=> !empty && dout == $past(din));
    fills:      assert property (push && !pop && wr_ptr - rd_ptr == 3'd3 |=> full);
    drains:     assert property (pop && !push && wr_ptr - rd_ptr == 3'd1 |=> empty);
`endif
endmodule
