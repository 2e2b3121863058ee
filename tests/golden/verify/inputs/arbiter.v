module arbiter(input clk, input [1:0] req, output reg [1:0] gnt);
  initial gnt = 0;
  always @(posedge clk) gnt <= req;
endmodule
