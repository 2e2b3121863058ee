//! Whether two designs of the same ports have the same outputs on every run from the reset,
//! shown by model checking their product.

use super::corpus::Case;
use respin::certify::{Options, Problem, Semantics, Verdict};
use respin::design::reserved::RUNNING;
use respin::design::verilog::{self, Project, ResetPlay};
use respin::design::{Design, Literal, Node, NodeId};
use respin::expr::{Expr, ExprKind, PropertyBody, PropertyItem, Role};
use respin::source::Sources;
use respin::spec::Spec;
use std::collections::HashMap;

fn read(case: &Case, text: &str) -> Design {
    let mut sources = Sources::new();
    let file = sources.add("design.v", text);
    let project = Project {
        files: vec![file],
        ..Project::default()
    };
    let options = case.options();
    let reset = options.iter().position(|option| option == "--reset");
    let reset = reset.map(|at| {
        let (signal, value) = options[at + 1]
            .split_once('=')
            .unwrap_or((&options[at + 1], "1"));
        ResetPlay {
            again: false,
            signal: signal.to_string(),
            value: value.starts_with('1'),
            cycles: 1,
        }
    });
    let tree = project.parse(&sources).expect("a syntax tree");
    let options = verilog::Options {
        reset,
        ..verilog::Options::default()
    };
    verilog::elaborate(&tree, &options)
        .expect("a design")
        .design
}

/// Adds a copy of a design whose inputs and free initial values are those of the same name.
fn copy_into(design: &mut Design, other: &Design) -> HashMap<NodeId, Literal> {
    let known: HashMap<String, NodeId> = design
        .inputs()
        .iter()
        .filter_map(|id| Some((design.name(*id)?.to_string(), *id)))
        .collect();
    let mut map: HashMap<NodeId, Literal> = HashMap::new();
    for id in other.node_ids() {
        let literal = match other.node(id) {
            Node::Constant => NodeId::CONSTANT.literal(),
            Node::Input(kind) => match known.get(other.name(id).unwrap_or_default()) {
                Some(same) => same.literal(),
                None => design.add_input(kind).literal(),
            },
            Node::Latch(latch) => design.add_latch(latch.reset).literal(),
            Node::And(..) => design.add_gate(Literal::TRUE, Literal::TRUE).literal(),
        };
        map.insert(id, literal);
    }
    let image = |literal: Literal| map[&literal.node()].complement_if(literal.is_complemented());
    for id in other.node_ids() {
        match other.node(id) {
            Node::Latch(latch) => design.set_next(map[&id].node(), image(latch.next)),
            Node::And(left, right) => {
                design.replace(map[&id].node(), Node::And(image(left), image(right)));
            }
            _ => {}
        }
    }
    map
}

pub fn behaves_alike(case: &Case, left: &str, right: &str) -> bool {
    let (left, right) = (read(case, left), read(case, right));
    let mut product = left.clone();
    let map = copy_into(&mut product, &right);
    let mut equal = Literal::TRUE;
    for output in left.outputs() {
        let other = right.outputs().iter().find(|one| one.name == output.name);
        let Some(other) = other else {
            return false;
        };
        let image = map[&other.literal.node()].complement_if(other.literal.is_complemented());
        let same = product.equal(output.literal, image);
        equal = product.and(equal, same);
    }
    let over = left.signal(RUNNING).map(|word| word.bits[0]);
    if let Ok(over) = over {
        equal = product.or(!over, equal);
    }
    let mut spec = Spec::new();
    spec.add_items(&[PropertyItem {
        role: Role::Assert,
        name: Some("equal".to_string()),
        span: None,
        body: PropertyBody::Invariant(Expr {
            kind: ExprKind::Net(equal.code()),
            span: None,
        }),
    }])
    .expect("items");
    let problem = Problem::new(&product, &spec).expect("a problem");
    let options = Options {
        semantics: Semantics::Strict,
        ..Options::default()
    };
    let verdict = problem.check(0, &options).expect("a verdict");
    verdict == Verdict::Holds
}
