//! Verilog expressions: precedence, numbers, names, round trips, depth.

use crate::support::{render, seed, source};
use respin::expr::{BinaryOp, Digit, Expr, ExprKind, Number, UnaryOp, parse_expression, printer};
use respin::random::Random;

fn parse(text: &str) -> Expr {
    let (_, file) = source(text);
    match parse_expression(file, text) {
        Ok(expr) => expr,
        Err(error) => panic!("{}", render(text, &error)),
    }
}

fn error_of(text: &str) -> String {
    let (_, file) = source(text);
    match parse_expression(file, text) {
        Ok(expr) => panic!("`{text}` is `{expr}`"),
        Err(error) => render(text, &error),
    }
}

/// Every operator in parentheses.
fn grouped(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Unary(operator, operand) => {
            format!("({}{})", operator.symbol(), grouped(operand))
        }
        ExprKind::Binary(operator, left, right) => {
            format!(
                "({} {} {})",
                grouped(left),
                operator.symbol(),
                grouped(right)
            )
        }
        ExprKind::Conditional(condition, then, otherwise) => format!(
            "({} ? {} : {})",
            grouped(condition),
            grouped(then),
            grouped(otherwise)
        ),
        _ => expr.to_string(),
    }
}

#[test]
fn operators_group_as_in_verilog() {
    let cases = [
        ("a & b == c", "(a & (b == c))"),
        ("a & b | c", "((a & b) | c)"),
        ("a | b & c", "(a | (b & c))"),
        ("a ^ b & c", "(a ^ (b & c))"),
        ("a | b ^ c", "(a | (b ^ c))"),
        ("a && b || c && d", "((a && b) || (c && d))"),
        ("a && b | c", "(a && (b | c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a - (b - c)", "(a - (b - c))"),
        ("a / b * c", "((a / b) * c)"),
        ("a + b * c", "(a + (b * c))"),
        ("a + b < c", "((a + b) < c)"),
        ("a << b + c", "(a << (b + c))"),
        ("a < b == c", "((a < b) == c)"),
        ("a == b < c", "(a == (b < c))"),
        ("a ** b ** c", "((a ** b) ** c)"),
        ("-a ** b", "((-a) ** b)"),
        ("!a == b", "((!a) == b)"),
        ("~a & b", "((~a) & b)"),
        ("a & &b", "(a & (&b))"),
        ("a && &b", "(a && (&b))"),
        ("~&a | ~|b", "((~&a) | (~|b))"),
        ("a ~^ b ^~ c", "((a ~^ b) ~^ c)"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a ? b ? c : d : e", "(a ? (b ? c : d) : e)"),
        ("a || b ? c : d", "((a || b) ? c : d)"),
        ("a >>> 2 <<< 1", "((a >>> 2) <<< 1)"),
        ("a - -b", "(a - (-b))"),
    ];
    for (text, expected) in cases {
        assert_eq!(grouped(&parse(text)), expected, "`{text}`");
    }
}

#[test]
fn primaries_print_as_they_are_written() {
    let cases = [
        "u0.state",
        "lane[3].busy",
        "lane[3][1].busy",
        "a[3]",
        "a[3][1:0]",
        "a[i + 1]",
        "a[i +: 4]",
        "a[i -: 4]",
        "a[b ? 1 : 0]",
        "{a, b[1:0], 2'd3}",
        "{4{a, b}}",
        "{n{1'b0}}",
        "$past(a, 2)",
        "$initstate",
        "f(a)",
        "f()",
        "$signed(a) >>> 1",
        "\\a+b [2]",
        "u0.\\a+b ",
        "$net(12)",
    ];
    for text in cases {
        assert_eq!(parse(text).to_string(), text);
    }
}

#[test]
fn numbers_have_verilogs_meaning() {
    // Each line: text, width, signed, digits from the left.
    let cases = [
        ("12", None, true, "1100"),
        ("0", None, true, "0"),
        ("1_000", None, true, "1111101000"),
        ("4'b10x0", Some(4), false, "10x0"),
        ("4'bz", Some(4), false, "zzzz"),
        ("4'b1?", Some(4), false, "001z"),
        ("8'hF_f", Some(8), false, "11111111"),
        ("6'o17", Some(6), false, "001111"),
        ("8'sd5", Some(8), true, "00000101"),
        ("4 'd 9", Some(4), false, "1001"),
        ("4'dx", Some(4), false, "xxxx"),
        ("'h3", None, false, "11"),
        ("'h0x", None, false, "0xxxx"),
        ("'bxxx", None, false, "x"),
        ("'x", None, false, "x"),
        ("'0", None, false, "0"),
        ("3'b0001", Some(3), false, "001"),
        (
            "340282366920938463463374607431768211456",
            None,
            true,
            &format!("1{}", "0".repeat(128)),
        ),
    ];
    for (text, width, signed, digits) in cases {
        let bits = digits
            .chars()
            .rev()
            .map(|digit| match digit {
                '0' => Digit::Zero,
                '1' => Digit::One,
                'x' => Digit::X,
                _ => Digit::Z,
            })
            .collect();
        let expected = Number {
            width,
            signed,
            bits,
        };
        assert_eq!(parse(text).kind, ExprKind::Number(expected), "`{text}`");
    }
}

#[test]
fn a_question_mark_after_a_number_starts_a_choice() {
    assert_eq!(grouped(&parse("a == 1?b:c")), "((a == 1) ? b : c)");
    assert_eq!(grouped(&parse("4'd1?b:c")), "(4'd1 ? b : c)");
}

#[test]
fn spans_cover_the_text_of_each_operand() {
    let text = "(a + b) * c[1]";
    let expr = parse(text);
    let slice = |expr: &Expr| {
        let span = expr.span.expect("parsed");
        text[span.start as usize..span.end as usize].to_string()
    };
    let ExprKind::Binary(_, left, right) = &expr.kind else {
        panic!("not a product");
    };
    assert_eq!(
        [slice(&expr), slice(left), slice(right)],
        [text, "(a + b)", "c[1]"]
    );
}

const NAMES: [&str; 12] = [
    "a", "b1", "_x$", "a+b", "G", "next", "and", "true", "module", "state", "q[0]", "1st",
];

fn random_number(random: &mut Random) -> Number {
    let digits: Vec<char> = (0..1 + random.below(6))
        .map(|_| *random.pick(&['0', '1', '1', '0', 'x', 'z']))
        .collect();
    let digits: String = digits.into_iter().collect();
    let sign = *random.pick(&["", "s"]);
    let text = match random.below(4) {
        0 => random.below(1000).to_string(),
        1 => format!("'{sign}b{digits}"),
        2 => format!("{}'{sign}h{:x}", 64 + random.below(200), random.word()),
        _ => format!("{}'{sign}b{digits}", digits.len() + random.below(3)),
    };
    Number::from_literal(&text).expect("a number").0
}

fn random_expr(random: &mut Random, depth: usize) -> Expr {
    use BinaryOp::*;
    const BINARY: [BinaryOp; 24] = [
        Add,
        Subtract,
        Multiply,
        Divide,
        Modulo,
        Power,
        ShiftLeft,
        ShiftRight,
        ArithmeticShiftLeft,
        ArithmeticShiftRight,
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
        Equal,
        NotEqual,
        CaseEqual,
        CaseNotEqual,
        BitAnd,
        BitOr,
        BitXor,
        BitXnor,
        LogicalAnd,
        LogicalOr,
    ];
    const UNARY: [UnaryOp; 10] = [
        UnaryOp::LogicalNot,
        UnaryOp::BitNot,
        UnaryOp::Plus,
        UnaryOp::Minus,
        UnaryOp::ReduceAnd,
        UnaryOp::ReduceNand,
        UnaryOp::ReduceOr,
        UnaryOp::ReduceNor,
        UnaryOp::ReduceXor,
        UnaryOp::ReduceXnor,
    ];
    let name = |random: &mut Random| -> Expr {
        let mut path: Vec<String> = Vec::new();
        for _ in 0..1 + random.below(3) {
            let mut component = random.pick(&NAMES).to_string();
            if random.below(6) == 0 {
                component = format!("lane[{}]", random.below(10));
            }
            path.push(component);
        }
        Expr {
            kind: ExprKind::Name(path),
            span: None,
        }
    };
    let boxed = |random: &mut Random| Box::new(random_expr(random, depth.saturating_sub(1)));
    let list = |random: &mut Random| -> Vec<Expr> {
        (0..1 + random.below(3))
            .map(|_| random_expr(random, depth.saturating_sub(1)))
            .collect()
    };
    let kind = if depth == 0 {
        match random.below(4) {
            0 => ExprKind::Number(random_number(random)),
            1 => ExprKind::Net(random.below(100) as u32),
            _ => return name(random),
        }
    } else {
        match random.below(12) {
            0 => ExprKind::Index(Box::new(name(random)), boxed(random)),
            1 => ExprKind::Range(Box::new(name(random)), boxed(random), boxed(random)),
            2 => ExprKind::IndexedRange {
                base: Box::new(name(random)),
                start: boxed(random),
                width: boxed(random),
                down: random.flip(),
            },
            3 | 4 => ExprKind::Unary(*random.pick(&UNARY), boxed(random)),
            5 => ExprKind::Conditional(boxed(random), boxed(random), boxed(random)),
            6 => ExprKind::Concat(list(random)),
            7 => ExprKind::Replicate(boxed(random), list(random)),
            8 => ExprKind::Call(
                random.pick(&["$past", "f", "$signed"]).to_string(),
                list(random),
            ),
            _ => ExprKind::Binary(*random.pick(&BINARY), boxed(random), boxed(random)),
        }
    };
    Expr { kind, span: None }
}

fn without_spans(expr: &mut Expr) {
    expr.span = None;
    match &mut expr.kind {
        ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Net(_) | ExprKind::AllOnes => {}
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => {
            without_spans(a);
            without_spans(b);
        }
        ExprKind::Range(a, b, c) | ExprKind::Conditional(a, b, c) => {
            without_spans(a);
            without_spans(b);
            without_spans(c);
        }
        ExprKind::IndexedRange {
            base, start, width, ..
        } => {
            without_spans(base);
            without_spans(start);
            without_spans(width);
        }
        ExprKind::Unary(_, a) | ExprKind::Member(a, _) => without_spans(a),
        ExprKind::Concat(items) | ExprKind::Call(_, items) => {
            items.iter_mut().for_each(without_spans);
        }
        ExprKind::Replicate(count, items) => {
            without_spans(count);
            items.iter_mut().for_each(without_spans);
        }
    }
}

#[test]
fn printed_expressions_parse_back_to_the_same_expression() {
    let seed = seed();
    for case in 0..5000 {
        let mut random = Random::new(seed.wrapping_add(case));
        let depth = random.below(5);
        let expr = random_expr(&mut random, depth);
        let text = expr.to_string();
        let mut parsed = parse(&text);
        without_spans(&mut parsed);
        assert_eq!(parsed, expr, "seed {seed}, case {case}: `{text}`");
    }
}

#[test]
fn printing_twice_gives_the_same_text() {
    let seed = seed();
    for case in 0..3000 {
        let mut random = Random::new(seed.wrapping_add(case));
        let text = random_expr(&mut random, 4).to_string();
        assert_eq!(parse(&text).to_string(), text, "seed {seed}, case {case}");
    }
}

#[test]
fn names_are_escaped_only_where_they_have_to_be() {
    let expr = parse("\\next  + \\a  + \\x.y ");
    assert_eq!(expr.to_string(), "next + a + \\x.y ");
    assert_eq!(
        printer::print(&expr, respin::expr::Dialect::Formula),
        "\\next  + a + \\x.y "
    );
}

#[test]
fn parentheses_may_be_nested_ten_thousand_deep() {
    let text = format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000));
    assert_eq!(parse(&text).to_string(), "a");
}

#[test]
fn long_chains_are_refused_before_they_cost_a_stack() {
    let chain = vec!["a"; 10_000].join(" + ");
    assert!(error_of(&chain).contains("R0208"));
}

#[test]
fn deep_prefixes_are_refused_before_they_cost_a_stack() {
    let text = format!("{}a", "!".repeat(10_000));
    assert!(error_of(&text).contains("R0208"));
}

#[test]
fn deep_selects_are_refused_before_they_cost_a_stack() {
    let text = format!("{}a{}", "a[".repeat(10_000), "]".repeat(10_000));
    assert!(error_of(&text).contains("R0208"));
}

#[test]
fn a_chain_within_the_limit_is_fine() {
    let chain = vec!["a"; 999].join(" + ");
    assert_eq!(parse(&chain).to_string(), chain);
}

#[test]
fn the_deepest_expression_can_be_copied_compared_and_dropped() {
    let expr = parse(&vec!["a"; 1000].join(" - "));
    let copy = expr.clone();
    assert!(copy == expr);
}

#[test]
fn long_names_do_not_cost_the_square_of_their_length() {
    let text = vec!["a"; 50_000].join(".");
    assert_eq!(parse(&text).to_string(), text);
}

#[test]
fn mistakes_are_explained() {
    let cases = [
        (
            "a = b",
            "1:3: R0209 `=` assigns, `==` compares\n  \
             1:3 `=`: a comparison is meant here\n  \
             help: write `==`\n",
        ),
        (
            "a -> b",
            "1:3: R0210 `->` is not an operator of Verilog expressions\n  \
             1:3 `->`: unknown operator\n  \
             help: write `!a || b` for an implication, `!a == !b` for an equivalence\n",
        ),
        (
            "(a + b)[1]",
            "1:8: R0213 only a signal can be indexed\n  \
             1:8 `[`: this select\n  \
             1:1 `(a + b)`: is not of a signal\n  \
             help: shift and mask instead, as in `((a + b) >> 2) & 1`\n",
        ),
        (
            "4'd20",
            "1:1: R0203 `4'd20` does not fit in 4 bits\n  \
             1:1 `4'd20`: here\n  \
             help: widen the number or correct its value\n",
        ),
        (
            "a == '1",
            "1:6: R0214 `'1` is not supported, its width is not written\n  \
             1:6 `'1`: here\n  \
             help: write the width, as in `4'b1111`\n",
        ),
        (
            "4'b12",
            "1:1: R0202 `2` is not a digit of this base\n  \
             1:1 `4'b12`: here\n  \
             help: numbers look like `12`, `4'b10x0`, `8'hFF` or `8'sd5`\n",
        ),
        (
            "a ? b",
            "1:3: R0205 this `?` has no `:`\n  \
             1:3 `?`: the choice starts here\n  \
             1:6 ``: `:` is missing before this\n  \
             help: a choice looks like `condition ? a : b`\n",
        ),
        (
            "{2{a}",
            "1:6: R0206 a replication needs a second `}`\n  \
             1:6 ``: expected `}` here\n  \
             1:1 `{`: the replication starts here\n  \
             help: replications look like `{4{a}}`\n",
        ),
        (
            "a == 1.5",
            "1:6: R0214 a real number cannot be part of an expression\n  \
             1:6 `1.5`: here\n  \
             help: write an integer\n",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error_of(text), expected, "`{text}`");
    }
}
