// One stage of a stream: it holds a word until the consumer takes it.
module stage (
    input  logic       clk,
    input  logic       rst,
    input  logic       in_valid,
    output logic       in_ready,
    input  logic [7:0] in_data,
    output logic       out_valid,
    input  logic       out_ready,
    output logic [7:0] out_data
);
    // Room now, or room in the next cycle because the consumer takes the word.
    assign in_ready = !out_valid ^ out_ready;

    always_ff @(posedge clk) begin
        if (rst) begin
            out_valid <= 1'b0;
        end else if (in_ready) begin
            out_valid <= in_valid;
            out_data  <= in_data;
        end
    end

`ifdef FORMAL
    default clocking @(posedge clk); endclocking
    default disable iff (rst);

    steady:  assert property (out_valid && !out_ready |=> out_valid && $stable(out_data));
    arrives: assert property (in_valid && in_ready |=> out_valid && out_data == $past(in_data));
    flows:   assert property (out_ready |-> in_ready);
`endif
endmodule
