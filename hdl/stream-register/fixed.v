// A registered stage of a stream with full throughput.
module stream_register (
    input  wire       clk,
    input  wire       rst,
    input  wire       s_valid,
    output wire       s_ready,
    input  wire [2:0] s_data,
    output reg        m_valid,
    input  wire       m_ready,
    output reg  [2:0] m_data
);
    // Room now, or room in the next cycle because the consumer takes the word.
    assign s_ready = !m_valid || m_ready;

    always @(posedge clk) begin
        if (rst) begin
            m_valid <= 1'b0;
        end else if (s_ready) begin
            m_valid <= s_valid;
            m_data  <= s_data;
        end
    end
endmodule
