// Sender side of a link with three credits.
module credits (
    input  wire       clk,
    input  wire       rst,
    input  wire       want,
    input  wire       refund,
    output wire       send,
    output reg  [1:0] credit
);
    wire spend = want && credit != 2'd0;

    assign send = spend;

    always @(posedge clk) begin
        if (rst)
            credit <= 2'd3;
        else if (refund && !spend)
            credit <= credit + 2'd1;
        else if (spend)
            credit <= credit - 2'd1;
    end

`ifdef FORMAL
    // The reset is active in the first cycle, and then never again.
    initial assume (rst);
    always @(posedge clk) if (!$initstate) assume (!rst);
    default clocking @(posedge clk); endclocking
    default disable iff (rst);
    // The receiver returns only what it got.
    honest: assume property (credit == 3 |-> !refund);
    spend:  assert property (want && !refund && credit != 0 |=> credit == $past(credit) - 2'd1);
    back:   assert property (refund && !(want && credit != 0) |=> credit == $past(credit) + 2'd1);
    both:   assert property (want && refund && credit != 0 |=> $stable(credit));
    idle:   assert property (!want && !refund |=> $stable(credit));
    gated:  assert property (send == (want && credit != 0));
    all:    assert property ($past(rst) |-> credit == 3);
`endif
endmodule
