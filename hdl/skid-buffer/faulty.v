// Breaks the ready path: `in_ready` is a register. A word that arrives while the
// consumer stalls is kept in the skid register and delivered first.
module skid_buffer (
    input  wire       clk,
    input  wire       rst,
    input  wire       in_valid,
    output wire       in_ready,
    input  wire [1:0] in_data,
    output wire       out_valid,
    input  wire       out_ready,
    output wire [1:0] out_data
);
    reg       held;
    reg [1:0] skid;

    assign in_ready  = !held;
    assign out_valid = held || in_valid;
    assign out_data  = held ? skid : in_data;

    always @(posedge clk) begin
        if (rst)
            held <= 1'b0;
        else if (held)
            held <= out_ready;
        else
            held <= in_valid && !out_ready;
    end

    always @(posedge clk)
        if (in_ready)
            skid <= in_data;
endmodule
