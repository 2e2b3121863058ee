// Brings an asynchronous input into the clock domain and strobes its rising edge.
module synchronizer (
    input  wire clk,
    input  wire rst,
    input  wire async_in,
    output wire synced,
    output wire strobe
);
    reg stage1;
    reg stage2;
    reg stage3;

    always @(posedge clk)
        if (rst) begin
            stage1 <= 1'b0;
            stage2 <= 1'b0;
            stage3 <= 1'b0;
        end else begin
            stage1 <= async_in;
            stage2 <= stage1;
            stage3 <= stage2;
        end

    assign synced = stage2;
    assign strobe = stage2 && !stage3;
endmodule
