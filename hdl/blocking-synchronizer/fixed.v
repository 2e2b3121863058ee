// Brings an asynchronous input into the clock domain and strobes its rising edge.
module synchronizer (
    input  wire clk,
    input  wire async_in,
    output wire synced,
    output wire strobe
);
    reg stage1 = 1'b0;
    reg stage2 = 1'b0;
    reg stage3 = 1'b0;

    always @(posedge clk) begin
        stage1 <= async_in;
        stage2 <= stage1;
        stage3 <= stage2;
    end

    assign synced = stage2;
    assign strobe = stage2 && !stage3;
endmodule
