//! Concurrent assertions as they are written, and as the evaluator understands them.

use super::evaluator::{Condition, Property, Sequence};

pub struct Case {
    /// What stands in the parentheses of `assert property (@(posedge clk) ...)`.
    pub text: &'static str,
    /// What the evaluator judges in every step.
    pub property: Property,
    /// Declarations before the assertion.
    pub before: &'static str,
}

const A: Condition = |values| values & 1 != 0;
const B: Condition = |values| values & 2 != 0;
const C: Condition = |values| values & 4 != 0;
const D: Condition = |values| values & 8 != 0;
const AND: Condition = |values| values & 3 == 3;
const OR: Condition = |values| values & 3 != 0;
const NOT_B: Condition = |values| values & 2 == 0;
const TRUE: Condition = |_| true;

fn is(condition: Condition) -> Sequence {
    Sequence::Is(condition)
}

fn delay(left: Sequence, low: usize, high: Option<usize>, right: Sequence) -> Sequence {
    Sequence::Delay(Some(Box::new(left)), low, high, Box::new(right))
}

fn then(left: Sequence, right: Sequence) -> Sequence {
    delay(left, 1, Some(1), right)
}

fn after(low: usize, high: Option<usize>, right: Sequence) -> Sequence {
    Sequence::Delay(None, low, high, Box::new(right))
}

fn repeat(inner: Sequence, low: usize, high: Option<usize>) -> Sequence {
    Sequence::Repeat(Box::new(inner), low, high)
}

fn first_match(inner: Sequence) -> Sequence {
    Sequence::FirstMatch(Box::new(inner))
}

fn weak(sequence: Sequence) -> Property {
    Property::Weak(sequence)
}

fn strong(sequence: Sequence) -> Property {
    Property::Strong(sequence)
}

fn holds(condition: Condition) -> Property {
    weak(is(condition))
}

fn not(inner: Property) -> Property {
    Property::Not(Box::new(inner))
}

fn both(left: Property, right: Property) -> Property {
    Property::And(Box::new(left), Box::new(right))
}

fn either(left: Property, right: Property) -> Property {
    Property::Or(Box::new(left), Box::new(right))
}

fn implies(antecedent: Sequence, inner: Property) -> Property {
    Property::Implication(antecedent, Box::new(inner))
}

/// `|=>`
fn implies_next(antecedent: Sequence, inner: Property) -> Property {
    implies(then(antecedent, is(TRUE)), inner)
}

fn until(left: Property, right: Property, strong: bool, inclusive: bool) -> Property {
    Property::Until(Box::new(left), Box::new(right), strong, inclusive)
}

fn next(steps: usize, inner: Property) -> Property {
    Property::Next(steps, Box::new(inner))
}

fn always(low: usize, high: Option<usize>, inner: Property) -> Property {
    Property::Always(low, high, Box::new(inner))
}

fn eventually(low: usize, high: Option<usize>, inner: Property) -> Property {
    Property::Eventually(low, high, Box::new(inner))
}

fn disable(condition: Condition, inner: Property) -> Property {
    Property::Disable(condition, Box::new(inner))
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |text: &'static str, property: Property| {
        cases.push(Case {
            text,
            property,
            before: "",
        });
    };
    add("a |-> b", implies(is(A), holds(B)));
    add("a |=> b", implies_next(is(A), holds(B)));
    add("a ##1 b |-> c", implies(then(is(A), is(B)), holds(C)));
    add(
        "a ##2 b |=> c",
        implies_next(delay(is(A), 2, Some(2), is(B)), holds(C)),
    );
    add(
        "a |-> ##2 b",
        implies(is(A), weak(after(2, Some(2), is(B)))),
    );
    add(
        "a |-> ##[1:3] b",
        implies(is(A), weak(after(1, Some(3), is(B)))),
    );
    add(
        "a |-> ##[0:2] b ##1 c",
        implies(is(A), weak(then(after(0, Some(2), is(B)), is(C)))),
    );
    add(
        "a ##[1:2] b |-> c",
        implies(delay(is(A), 1, Some(2), is(B)), holds(C)),
    );
    add(
        "a ##[1:$] b |-> c",
        implies(delay(is(A), 1, None, is(B)), holds(C)),
    );
    add(
        "a ##[0:$] b |=> c",
        implies_next(delay(is(A), 0, None, is(B)), holds(C)),
    );
    add(
        "a |-> strong(##[1:$] b)",
        implies(is(A), strong(after(1, None, is(B)))),
    );
    add(
        "a |-> s_eventually b",
        implies(is(A), eventually(0, None, holds(B))),
    );
    add(
        "a |=> s_eventually (b && c)",
        implies_next(is(A), eventually(0, None, holds(|v| v & 6 == 6))),
    );
    add("a[*2] |-> b", implies(repeat(is(A), 2, Some(2)), holds(B)));
    add(
        "a[*1:3] ##1 b |-> c",
        implies(then(repeat(is(A), 1, Some(3)), is(B)), holds(C)),
    );
    add(
        "a |-> b[*2:3] ##1 c",
        implies(is(A), weak(then(repeat(is(B), 2, Some(3)), is(C)))),
    );
    add(
        "a |-> b[*1:$] ##1 c",
        implies(is(A), weak(then(repeat(is(B), 1, None), is(C)))),
    );
    add(
        "a |-> strong(b[*] ##1 c)",
        implies(is(A), strong(then(repeat(is(B), 0, None), is(C)))),
    );
    add(
        "(a ##1 b)[*2] |-> c",
        implies(repeat(then(is(A), is(B)), 2, Some(2)), holds(C)),
    );
    add(
        "a |=> (b ##1 c)[*1:2]",
        implies_next(is(A), weak(repeat(then(is(B), is(C)), 1, Some(2)))),
    );
    add(
        "a[*0:1] ##1 b |-> c",
        implies(then(repeat(is(A), 0, Some(1)), is(B)), holds(C)),
    );
    add(
        "a ##1 b[->2] |-> c",
        implies(then(is(A), Sequence::Goto(B, 2, Some(2))), holds(C)),
    );
    add(
        "a |-> b[->1:2] ##1 c",
        implies(is(A), weak(then(Sequence::Goto(B, 1, Some(2)), is(C)))),
    );
    add(
        "a |=> strong(b[->2])",
        implies_next(is(A), strong(Sequence::Goto(B, 2, Some(2)))),
    );
    add(
        "a ##1 b[=2] ##1 c |-> d",
        implies(
            then(then(is(A), Sequence::Times(B, 2, Some(2))), is(C)),
            holds(D),
        ),
    );
    add(
        "a |-> b[=1:2] ##1 c",
        implies(is(A), weak(then(Sequence::Times(B, 1, Some(2)), is(C)))),
    );
    add(
        "b[->1:$] ##1 c |-> d",
        implies(then(Sequence::Goto(B, 1, None), is(C)), holds(D)),
    );
    add(
        "a |-> b throughout (c ##[1:3] d)",
        implies(
            is(A),
            weak(Sequence::Throughout(
                B,
                Box::new(delay(is(C), 1, Some(3), is(D))),
            )),
        ),
    );
    add(
        "(b throughout a ##1 c) |=> d",
        implies_next(
            Sequence::Throughout(B, Box::new(then(is(A), is(C)))),
            holds(D),
        ),
    );
    add(
        "(a ##[1:3] b) intersect (c ##2 d) |-> a",
        implies(
            Sequence::Intersect(
                Box::new(delay(is(A), 1, Some(3), is(B))),
                Box::new(delay(is(C), 2, Some(2), is(D))),
            ),
            holds(A),
        ),
    );
    add(
        "(a ##1 b) and (c ##[1:2] d) |=> a",
        implies_next(
            Sequence::And(
                Box::new(then(is(A), is(B))),
                Box::new(delay(is(C), 1, Some(2), is(D))),
            ),
            holds(A),
        ),
    );
    add(
        "(a ##1 b) or (c ##2 d) |-> a",
        implies(
            Sequence::Or(
                Box::new(then(is(A), is(B))),
                Box::new(delay(is(C), 2, Some(2), is(D))),
            ),
            holds(A),
        ),
    );
    add(
        "(a ##1 b) within (c[*3]) |-> d",
        implies(
            Sequence::Within(
                Box::new(then(is(A), is(B))),
                Box::new(repeat(is(C), 3, Some(3))),
            ),
            holds(D),
        ),
    );
    add(
        "a |-> (b ##1 c) and (b ##2 d)",
        implies(
            is(A),
            both(
                weak(then(is(B), is(C))),
                weak(delay(is(B), 2, Some(2), is(D))),
            ),
        ),
    );
    add("not (a ##1 b)", not(weak(then(is(A), is(B)))));
    add(
        "not strong(a ##[1:$] b)",
        not(strong(delay(is(A), 1, None, is(B)))),
    );
    add(
        "a |-> not (b ##1 c)",
        implies(is(A), not(weak(then(is(B), is(C))))),
    );
    add("a until b", until(holds(A), holds(B), false, false));
    add(
        "a |-> (c s_until b)",
        implies(is(A), until(holds(C), holds(B), true, false)),
    );
    add(
        "a |-> c until_with b",
        implies(is(A), until(holds(C), holds(B), false, true)),
    );
    add(
        "a |=> c s_until_with b",
        implies_next(is(A), until(holds(C), holds(B), true, true)),
    );
    add("a |-> nexttime b", implies(is(A), next(1, holds(B))));
    add("a |-> s_nexttime[2] b", implies(is(A), next(2, holds(B))));
    add(
        "a && b |-> always c",
        implies(is(AND), always(0, None, holds(C))),
    );
    add(
        "a |-> always [1:2] b",
        implies(is(A), always(1, Some(2), holds(B))),
    );
    add(
        "a |-> s_always [0:2] (b || c)",
        implies(is(A), always(0, Some(2), holds(|v| v & 6 != 0))),
    );
    add(
        "a |-> eventually [1:2] b",
        implies(is(A), eventually(1, Some(2), holds(B))),
    );
    add(
        "s_eventually always !a",
        eventually(0, None, always(0, None, holds(|v| v & 1 == 0))),
    );
    add(
        "always s_eventually a or b ##1 c",
        always(
            0,
            None,
            eventually(0, None, either(holds(A), weak(then(is(B), is(C))))),
        ),
    );
    add("a implies b", either(not(holds(A)), holds(B)));
    add(
        "(a |=> b) iff c",
        either(
            both(implies_next(is(A), holds(B)), holds(C)),
            both(not(implies_next(is(A), holds(B))), not(holds(C))),
        ),
    );
    add(
        "if (a) b ##1 c else d",
        both(
            either(not(holds(A)), weak(then(is(B), is(C)))),
            either(holds(A), holds(D)),
        ),
    );
    add(
        "a ##1 b #-# c",
        Property::Followed(then(is(A), is(B)), Box::new(holds(C))),
    );
    add(
        "a |-> b #=# c",
        implies(
            is(A),
            Property::Followed(then(is(B), is(TRUE)), Box::new(holds(C))),
        ),
    );
    add(
        "a |-> (b |=> c)",
        implies(is(A), implies_next(is(B), holds(C))),
    );
    add(
        "disable iff (d) a |=> b",
        disable(D, implies_next(is(A), holds(B))),
    );
    add(
        "disable iff (d) a |-> ##[1:3] b",
        disable(D, implies(is(A), weak(after(1, Some(3), is(B))))),
    );
    add(
        "disable iff (d) a |-> s_eventually b",
        disable(D, implies(is(A), eventually(0, None, holds(B)))),
    );
    add(
        "disable iff (d) a ##2 b |-> not (c ##1 c)",
        disable(
            D,
            implies(
                delay(is(A), 2, Some(2), is(B)),
                not(weak(then(is(C), is(C)))),
            ),
        ),
    );
    add(
        "disable iff (d) a |-> (b until c)",
        disable(D, implies(is(A), until(holds(B), holds(C), false, false))),
    );
    add(
        "a ##0 b ##1 c |-> d",
        implies(then(delay(is(A), 0, Some(0), is(B)), is(C)), holds(D)),
    );
    add(
        "a[*2] ##0 b |-> c",
        implies(
            delay(repeat(is(A), 2, Some(2)), 0, Some(0), is(B)),
            holds(C),
        ),
    );
    let mut named = |before: &'static str, text: &'static str, property: Property| {
        cases.push(Case {
            text,
            property,
            before,
        });
    };
    named(
        "sequence s(x, y); x ##1 y; endsequence",
        "s(a, b) |-> c",
        implies(then(is(A), is(B)), holds(C)),
    );
    named(
        "",
        "first_match(a ##[1:3] b) |-> c",
        implies(first_match(delay(is(A), 1, Some(3), is(B))), holds(C)),
    );
    named(
        "",
        "first_match(a[*1:2] ##1 b[*0:1] ##1 c) |=> d",
        implies_next(
            first_match(then(
                then(repeat(is(A), 1, Some(2)), repeat(is(B), 0, Some(1))),
                is(C),
            )),
            holds(D),
        ),
    );
    named(
        "",
        "a |-> first_match(##[1:2] b) ##1 c",
        implies(
            is(A),
            weak(then(first_match(after(1, Some(2), is(B))), is(C))),
        ),
    );
    named(
        "sequence s; a ##1 b; endsequence sequence t; s ##1 c; endsequence",
        "t |=> d",
        implies_next(then(then(is(A), is(B)), is(C)), holds(D)),
    );
    named(
        "property p(x, n); x |-> ##n b; endproperty",
        "p(a || b, 2)",
        implies(is(OR), weak(after(2, Some(2), is(B)))),
    );
    named(
        "property p(logic x, int n = 2, logic y = b); x |-> ##n y; endproperty",
        "p(a || b)",
        implies(is(OR), weak(after(2, Some(2), is(B)))),
    );
    // Of two bits a type of one bit takes the lower.
    named(
        "sequence s(bit x, y, untyped z); x ##1 y ##0 !z; endsequence",
        "s({1'b1, a}, b, !c) |-> d",
        implies(delay(then(is(A), is(B)), 0, Some(0), is(C)), holds(D)),
    );
    named(
        "property p; disable iff (d) a |=> not b; endproperty : p",
        "p",
        disable(D, implies_next(is(A), holds(NOT_B))),
    );
    cases
}
