//! Template: connections of one instance exchanged, or those of two instances of a module.

use super::{Kind, Lister, SourceEdit, cost};
use crate::design::verilog::syntax::*;
use crate::expr::Expr;

impl Lister<'_> {
    /// Two connections of one instance in each other's place.
    pub(super) fn swapped_ports(&mut self, instance: &SingleInstance) {
        let values: Vec<&Expr> = instance.connections.iter().filter_map(value).collect();
        for (index, first) in values.iter().enumerate() {
            for second in &values[index + 1..] {
                if self.width(first) == self.width(second) {
                    self.exchange(first, second);
                }
            }
        }
    }

    /// The same port of two instances of one module.
    pub(super) fn swapped_instances(&mut self, instances: &[(&str, &SingleInstance)]) {
        for (index, (module, first)) in instances.iter().enumerate() {
            let others = instances[index + 1..].iter();
            for (_, second) in others.filter(|(other, _)| other == module) {
                for (at, connection) in first.connections.iter().enumerate() {
                    let twin = match &connection.name {
                        Some(name) => second.connections.iter().find(|one| {
                            let other = one.name.as_ref();
                            other.is_some_and(|other| other.text == name.text)
                        }),
                        None => second.connections.get(at),
                    };
                    if let (Some(own), Some(other)) = (value(connection), twin.and_then(value)) {
                        self.exchange(own, other);
                    }
                }
            }
        }
    }

    fn exchange(&mut self, first: &Expr, second: &Expr) {
        let (Some(first), Some(second)) = (first.span, second.span) else {
            return;
        };
        let (own, other) = (self.text(first).to_string(), self.text(second).to_string());
        if own != other {
            let changes = vec![(first, other), (second, own)];
            self.push(SourceEdit::new(Kind::Connection, changes, cost::SWAP));
        }
    }
}

fn value(connection: &Connection) -> Option<&Expr> {
    match &connection.value {
        ConnectionValue::Expression(value) => Some(value),
        _ => None,
    }
}
