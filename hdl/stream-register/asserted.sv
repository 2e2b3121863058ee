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
    assign s_ready = !m_valid ^ m_ready;

    always @(posedge clk) begin
        if (rst) begin
            m_valid <= 1'b0;
        end else if (s_ready) begin
            m_valid <= s_valid;
            m_data  <= s_data;
        end
    end

`ifdef FORMAL
    // The reset is active in the first cycle, and then never again.
    initial assume (rst);
    always @(posedge clk) if (!$initstate) assume (!rst);
    default clocking @(posedge clk); endclocking
    default disable iff (rst);
    property keeps(valid, ready, data);
        valid && !ready |=> valid && $stable(data);
    endproperty

    steady:    assert property (keeps(m_valid, m_ready, m_data));
    arrives:   assert property (s_valid && s_ready |=> m_valid && m_data == $past(s_data));
    no_ghost:  assert property (m_ready && !(s_valid && s_ready) |=> !m_valid);
    no_bubble: assert property (m_ready |-> s_ready);
    room:      assert property (!m_valid |-> s_ready);
    idle:      assert property ($past(rst) |-> !m_valid);
`endif
endmodule
