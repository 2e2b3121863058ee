// A software-visible register with a shadow: a write lands in `pending`, and `commit`
// moves it into `active`, so that the hardware sees all bits change at once.
module shadow_register (
    input  wire       clk,
    input  wire       write,
    input  wire       commit,
    input  wire [2:0] data,
    output reg  [2:0] pending,
    output reg  [2:0] active
);
    initial begin
        pending = 3'd0;
        active  = 3'd0;
    end

    always @(posedge clk) begin
        if (write)
            pending <= data;
        if (write)
            active <= pending;
    end

`ifdef FORMAL
    default clocking @(posedge clk); endclocking
    copy: assert property (commit |=> active == $past(pending));
    keep: assert property (!commit |=> $stable(active));
    land: assert property (write |=> pending == $past(data));
    rest: assert property (!write |=> $stable(pending));
`endif
endmodule
