// Round robin over three requesters: who was served goes to the end of the line.

// The first requester at or after `pointer`, one-hot.
module pick (
    input  wire [2:0] request,
    input  wire [1:0] pointer,
    output reg  [2:0] grant
);
    always @* begin
        case (pointer)
            2'd0:    grant = request[0] ? 3'b001 : request[1] ? 3'b010 : request[2] ? 3'b100 : 3'b000;
            2'd1:    grant = request[1] ? 3'b010 : request[2] ? 3'b100 : request[0] ? 3'b001 : 3'b000;
            default: grant = request[2] ? 3'b100 : request[0] ? 3'b001 : request[1] ? 3'b010 : 3'b000;
        endcase
    end
endmodule

module round_robin (
    input  wire       clk,
    input  wire       rst,
    input  wire [2:0] request,
    output wire [2:0] grant
);
    reg [1:0] pointer;

    pick select (
        .request(request),
        .pointer(pointer),
        .grant(grant)
    );

    always @(posedge clk) begin
        if (rst)
            pointer <= 2'd0;
        else if (grant != 3'b000)
            pointer <= grant[2] ? 2'd0 : grant[1] ? 2'd1 : 2'd1;
    end
endmodule
