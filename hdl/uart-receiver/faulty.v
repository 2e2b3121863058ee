// Finds the start bit and then strobes `sample` in the middle of each of the two data
// bits. A bit lasts four cycles.
module uart_receiver (
    input  wire       clk,
    input  wire       rst,
    input  wire       rxd,
    output wire       sample,
    output reg  [1:0] data,
    output reg        done
);
    reg       active;
    reg [1:0] phase;
    reg [1:0] which;

    // The start bit is seen in phase 0, so phase 2 is the middle of a bit.
    wire middle = phase == 2'd3;

    assign sample = active && middle && which != 2'd0;

    always @(posedge clk) begin
        if (rst) begin
            active <= 1'b0;
            phase  <= 2'd0;
            which  <= 2'd0;
            done   <= 1'b0;
        end else begin
            done <= 1'b0;
            if (!active) begin
                phase <= 2'd1;
                which <= 2'd0;
                active <= !rxd;
            end else begin
                phase <= phase + 2'd1;
                if (phase == 2'd3)
                    which <= which + 2'd1;
                if (sample)
                    data <= {rxd, data[1]};
                if (sample && which == 2'd2) begin
                    active <= 1'b0;
                    done   <= 1'b1;
                end
            end
        end
    end
endmodule
