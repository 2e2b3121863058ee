// Advice to a pilot on a collision course, in the manner of TCAS: climb, descend, or
// nothing. Distances are vertical and in coarse units.
module collision_avoidance (
    input  wire       clk,
    // Own aircraft, and the other one.
    input  wire [2:0] own_altitude,
    input  wire [1:0] own_rate,
    input  wire [2:0] other_altitude,
    input  wire       other_equipped,
    input  wire [1:0] other_intent,
    // How far apart the two will pass if this one climbs, and if it descends.
    input  wire [2:0] room_above,
    input  wire [2:0] room_below,
    input  wire       climb_inhibited,
    // The band of altitudes decides how much room is enough.
    input  wire [1:0] band,
    // Quality of the tracks.
    input  wire       confident,
    input  wire       reports_agree,
    output reg  [1:0] advice
);
    localparam [1:0] NOTHING = 2'd0, CLIMB = 2'd1, DESCEND = 2'd2;
    localparam [1:0] NO_INTENT = 2'd0;
    localparam [1:0] FASTEST = 2'd2;
    localparam [3:0] BIAS = 4'd1;

    reg [2:0] enough;
    reg [3:0] biased;
    reg       is_above, is_below;
    reg       climb_fits, descent_fits;
    reg       climb_preferred;
    reg       tracked, intent_unknown, free;
    reg       want_climb, want_descent;
    reg [1:0] decision;

    always @* begin
        case (band)
            2'd0: enough = 3'd1;
            2'd1: enough = 3'd2;
            2'd2: enough = 3'd3;
            default: enough = 3'd5;
        endcase

        is_above = own_altitude > other_altitude;
        is_below = own_altitude < other_altitude;

        climb_fits   = room_above >= enough;
        descent_fits = room_below >= enough;

        // A climb is what pilots do best, so it wins a tie.
        if (climb_inhibited)
            biased = {1'b0, room_above};
        else
            biased = {1'b0, room_above} + BIAS;
        climb_preferred = biased > {1'b0, room_below};

        // Do not cross the path of the other aircraft if both ways are free.
        if (climb_fits && descent_fits) begin
            want_climb   = is_above;
            want_descent = is_below;
        end else begin
            want_climb   = climb_fits || (!descent_fits && climb_preferred);
            want_descent = descent_fits || (!climb_fits && !climb_preferred);
        end

        // An equipped aircraft is left alone once it has announced what it will do.
        tracked        = confident && own_rate <= FASTEST;
        intent_unknown = reports_agree && other_intent == NO_INTENT;
        free           = !other_equipped || intent_unknown;

        decision = NOTHING;
        if (tracked && free) begin
            if (want_climb && !want_descent)
                decision = CLIMB;
            else if (want_descent)
                decision = DESCEND;
        end
    end

    initial advice = NOTHING;

    always @(posedge clk)
        advice <= decision;
endmodule
