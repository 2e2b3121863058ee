// Sends packets of four beats; `m_tlast` marks the fourth.
module axis_packet (
    input  wire       aclk,
    input  wire       aresetn,
    input  wire       send,
    output reg        m_tvalid,
    input  wire       m_tready,
    output wire       m_tlast,
    output reg  [1:0] m_tdata
);
    assign m_tlast = m_tdata == 2'd3;

    always @(posedge aclk) begin
        if (!aresetn) begin
            m_tvalid <= 1'b0;
            m_tdata  <= 2'd0;
        end else begin
            if (!m_tvalid)
                m_tvalid <= send;
            else if (m_tready && m_tlast)
                m_tvalid <= 1'b0;

            if (m_tvalid)
                m_tdata <= m_tdata + 2'd1;
        end
    end
endmodule
