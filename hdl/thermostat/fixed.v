// Two-point control: heats from LOW up to HIGH and then waits until it is cold again.
module thermostat #(
    parameter [2:0] LOW  = 3'd2,
    parameter [2:0] HIGH = 3'd5
) (
    input  wire       clk,
    input  wire       rst,
    input  wire [2:0] temperature,
    output reg        heat
);
    always @(posedge clk) begin
        if (rst)
            heat <= 1'b0;
        else if (temperature <= LOW)
            heat <= 1'b1;
        else if (temperature >= HIGH)
            heat <= 1'b0;
    end
endmodule
