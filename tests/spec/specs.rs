//! Specifications: from files and from items of a design, and their parts.

use crate::support::{Shape, check_random, name, source};
use respin::expr::{Expr, ExprKind, PropertyBody, PropertyItem, Role};
use respin::spec::atoms::{split_atom, split_atoms};
use respin::spec::property_file::parse_formula;
use respin::spec::{Class, Formulas, Spec, split_conjunction};

fn spec(text: &str) -> Spec {
    let mut spec = Spec::new();
    let (_, file) = source(text);
    spec.add_property_file(file, text).expect("a property file");
    spec
}

fn item(role: Role, name: Option<&str>, body: PropertyBody) -> PropertyItem {
    PropertyItem {
        role,
        name: name.map(str::to_string),
        span: None,
        body,
    }
}

#[test]
fn items_of_a_design_get_their_meaning_in_time() {
    let net = |net| Expr {
        kind: ExprKind::Net(net),
        span: None,
    };
    let mut spec = Spec::new();
    spec.add_items(&[
        item(
            Role::Assert,
            Some("bad"),
            PropertyBody::Invariant(name("a")),
        ),
        item(Role::Assume, None, PropertyBody::Recurrence(net(3))),
        item(
            Role::Assert,
            Some("bad"),
            PropertyBody::NeverAllRecurring(vec![net(4), net(5)]),
        ),
        item(
            Role::Cover,
            None,
            PropertyBody::NeverAllRecurring(Vec::new()),
        ),
    ])
    .expect("items");
    let found: Vec<(&str, String)> = spec
        .properties
        .iter()
        .map(|property| (property.name.as_str(), spec.formulas.text(property.formula)))
        .collect();
    let expected = [
        ("bad", "G a"),
        ("assume_2", "G F $net(3)"),
        ("bad_2", "!(G F $net(4) && G F $net(5))"),
        ("cover_4", "!G F true"),
    ];
    assert_eq!(found, expected.map(|(name, text)| (name, text.to_string())));
}

#[test]
fn made_up_names_avoid_given_ones() {
    let spec = spec("assert a; assert assert_1: b; assert c;");
    let names: Vec<&str> = spec
        .properties
        .iter()
        .map(|property| property.name.as_str())
        .collect();
    assert_eq!(names, ["assert_2", "assert_1", "assert_3"]);
}

#[test]
fn two_files_may_use_one_name() {
    let mut spec = spec("assert live: a;");
    let text = "assert live: b;";
    let (_, file) = source(text);
    spec.add_property_file(file, text).expect("a property file");
    assert_eq!(spec.properties[1].name, "live_2");
}

#[test]
fn properties_split_into_named_classified_parts() {
    let mut spec = spec(
        "assume env: G F a & G (b -> X a);\n\
         assert G (a -> (X b && F c)) && (F G a);\n",
    );
    let conjuncts = spec.conjuncts();
    let found: Vec<(&str, String, Class)> = conjuncts
        .iter()
        .map(|part| {
            (
                part.name.as_str(),
                spec.formulas.text(part.formula),
                part.class,
            )
        })
        .collect();
    let expected = [
        ("env/1", "G F a", Class::Recurrence),
        ("env/2", "G (!b || X a)", Class::Safety),
        ("assert_2/1", "G (!a || X b && F c)", Class::Recurrence),
        ("assert_2/2", "F G a", Class::Persistence),
    ];
    let expected = expected.map(|(name, text, class)| (name, text.to_string(), class));
    assert_eq!(found, expected);
}

#[test]
fn the_parts_of_a_formula_mean_what_it_means() {
    check_random(3000, &Shape::everything(5), &|formulas, formula, lasso| {
        let parts = split_conjunction(formulas, formula);
        let all = parts.iter().all(|part| lasso.satisfies(formulas, *part));
        (all != lasso.satisfies(formulas, formula)).then(|| format!("{} parts", parts.len()))
    });
}

#[test]
fn a_printed_specification_reads_back() {
    let text = "\
assume fair: G F tick;
assert \\a-b : G (!a || F (b == 3));
assert \\G : !(\\next  U c);
assert x & y;
";
    let first = spec(text);
    assert_eq!(first.to_string(), text);
}

#[test]
fn known_widths_take_atoms_apart() {
    let mut formulas = Formulas::new();
    let text = "G !(gnt[0] & gnt[1]) & F ((a ^ b) == w) & X (~a & w)";
    let (_, file) = source(text);
    let formula = parse_formula(&mut formulas, file, text).expect("a formula");
    let split = split_atoms(&mut formulas, formula, &|expr: &Expr| {
        !expr.to_string().starts_with('w')
    });
    assert_eq!(
        formulas.text(split),
        "F ((a ^ b) == w) && X (~a & w) && G !(gnt[0] && gnt[1])"
    );
}

#[test]
fn one_bit_operators_become_connectives() {
    let cases = [
        ("a & b", "a && b"),
        ("~a", "!a"),
        ("a ^ b", "!((!a || b) && (a || !b))"),
        ("a ~^ b", "(!a || b) && (a || !b)"),
        ("a & (b | ~c)", "a && (b || !c)"),
        ("a + b", "a + b"),
    ];
    for (text, expected) in cases {
        let (_, file) = source(text);
        let expr = respin::expr::parse_expression(file, text).expect("an expression");
        let mut formulas = Formulas::new();
        let split = split_atom(&mut formulas, &expr, &|_| true);
        assert_eq!(formulas.text(split), expected, "`{text}`");
    }
}

#[test]
fn deep_expressions_of_front_ends_are_taken_apart() {
    let mut expr = name("a");
    for _ in 0..20_000 {
        expr = Expr {
            kind: ExprKind::Unary(respin::expr::UnaryOp::LogicalNot, Box::new(expr)),
            span: None,
        };
    }
    let mut formulas = Formulas::new();
    let split = split_atom(&mut formulas, &expr, &|_| true);
    assert_eq!(formulas.text(split), "a");
    // Dropping so deep a tree is the business of whoever made it.
    std::mem::forget(expr);
}
