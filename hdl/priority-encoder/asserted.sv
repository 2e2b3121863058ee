// Number of the highest active line.
module priority_encoder (
    input  wire       clk,
    input  wire [3:0] line,
    output reg  [1:0] index,
    output reg        valid
);
    reg [1:0] code;

    always @* begin
        casez (line)
            4'b1???: code = 2'd3;
            4'b11??: code = 2'd2;
            4'b001?: code = 2'd1;
            default: code = 2'd0;
        endcase
    end

    initial {valid, index} = 3'b000;

    always @(posedge clk) begin
        index <= code;
        valid <= |line;
    end

`ifdef FORMAL
    default clocking @(posedge clk); endclocking
    initial quiet: assert (!valid);
    some:  assert property (1'b1 |=> valid == $past(|line));
    three: assert property (line[3] |=> index == 3);
    two:   assert property (line[3:2] == 1 |=> index == 2);
    one:   assert property (line[3:1] == 1 |=> index == 1);
    zero:  assert property (line <= 1 |=> index == 0);
`endif
endmodule
