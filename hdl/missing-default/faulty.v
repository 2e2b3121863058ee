// One-hot sequencer. It has no reset: whatever it wakes up with, it must find into the
// ring by itself.
module ring (
    input  wire       clk,
    output reg  [2:0] phase
);
    always @(posedge clk) begin
        case (phase)
            3'b001: phase <= 3'b010;
            3'b010: phase <= 3'b100;
            3'b100: phase <= 3'b001;
        endcase
    end
endmodule
