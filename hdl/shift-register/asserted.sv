// Collects four bits, the most significant first; `full` marks the fourth.
module serial_to_parallel (
    input  wire       clk,
    input  wire       rst,
    input  wire       enable,
    input  wire       serial,
    output reg  [3:0] parallel,
    output reg        full
);
    reg [1:0] count;

    always @(posedge clk) begin
        if (rst) begin
            parallel <= 4'b0000;
            count    <= 2'd0;
            full     <= 1'b0;
        end else begin
            full <= enable && count == 2'd3;
            if (enable) begin
                parallel <= {serial, parallel[3:1]};
                count    <= count + 2'd1;
            end
        end
    end

`ifdef FORMAL
    // The reset is active in the first cycle, and then never again.
    initial assume (rst);
    always @(posedge clk) if (!$initstate) assume (!rst);
    default clocking @(posedge clk); endclocking
    default disable iff (rst);
    clear: assert property ($past(rst) |-> parallel == 0 && !full);
    shift: assert property (enable |=> parallel == {$past(parallel[2:0]), $past(serial)});
    hold:  assert property (!enable |=> $stable(parallel) && $stable(count));
    count_up: assert property (enable |=> count == $past(count) + 2'd1);
    fourth:   assert property (1'b1 |=> full == $past(enable && count == 3));
`endif
endmodule
