// The output follows the button once the button has differed from it for four samples.
module debounce (
    input  wire clk,
    input  wire rst,
    input  wire button,
    output reg  pressed
);
    localparam [1:0] ENOUGH = 2'd2;

    reg [1:0] count;

    always @(posedge clk) begin
        if (rst) begin
            count   <= 2'd0;
            pressed <= 1'b0;
        end else if (button == pressed) begin
            count <= 2'd0;
        end else if (count == ENOUGH) begin
            count   <= 2'd0;
            pressed <= button;
        end else begin
            count <= count + 2'd1;
        end
    end

`ifdef FORMAL
    default clocking @(posedge clk); endclocking

    follows: assert property ((button && !pressed)[*4] |=> pressed);
    lets_go: assert property ((!button && pressed)[*4] |=> !pressed);
    bounce:  assert property (button == pressed ##[1:3] 1'b1 |=> $stable(pressed));
    fresh:   assert property ($past(rst) |-> !pressed[*4]);
`endif
endmodule
