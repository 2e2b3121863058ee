//! Formulas of GR(1) specifications: words over current and next values.
//!
//! Terms are shared: the same term has the same number, so that a `define` which is used a
//! hundred times is encoded once. Operations on constants are carried out at once.

use std::collections::{BTreeSet, HashMap};

/// A variable of a [`Gr1`](super::Gr1), by its index in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// A term of a [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

/// The name of a value of an enumeration. Two enumerations that share a name share the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub(super) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Division rounds towards zero, and the rest has the sign of the dividend; dividing by
/// zero gives zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// Booleans, integers and enumerators are told apart by whoever builds terms: operands of
/// logic are Boolean, operands of arithmetic and order are integers, and equality compares
/// two of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    Boolean(bool),
    Integer(i64),
    Enumerator(Symbol),
    Variable { variable: VariableId, primed: bool },
    Not(TermId),
    And(Vec<TermId>),
    Or(Vec<TermId>),
    Implies(TermId, TermId),
    Iff(TermId, TermId),
    Compare(Comparison, TermId, TermId),
    Arithmetic(Arithmetic, TermId, TermId),
}

/// All terms of one specification.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    terms: Vec<Term>,
    numbers: HashMap<Term, TermId>,
    symbols: Vec<String>,
    symbol_numbers: HashMap<String, Symbol>,
}

/// A term has the next value of a variable where a next value is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrimedTwice;

impl Comparison {
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        }
    }
}

impl Arithmetic {
    /// `None` if the result does not fit.
    pub fn apply(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Arithmetic::Add => left.checked_add(right),
            Arithmetic::Subtract => left.checked_sub(right),
            Arithmetic::Multiply => left.checked_mul(right),
            Arithmetic::Divide | Arithmetic::Modulo if right == 0 => Some(0),
            Arithmetic::Divide => left.checked_div(right),
            Arithmetic::Modulo => left.checked_rem(right),
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Modulo => "mod",
        }
    }
}

impl Terms {
    pub fn get(&self, id: TermId) -> &Term {
        &self.terms[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn symbol(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.symbol_numbers.get(name) {
            return symbol;
        }
        let symbol = Symbol(self.symbols.len() as u32);
        self.symbols.push(name.to_string());
        self.symbol_numbers.insert(name.to_string(), symbol);
        symbol
    }

    pub fn find_symbol(&self, name: &str) -> Option<Symbol> {
        self.symbol_numbers.get(name).copied()
    }

    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.0 as usize]
    }

    fn add(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.numbers.get(&term) {
            return id;
        }
        let id = TermId(self.terms.len() as u32);
        self.terms.push(term.clone());
        self.numbers.insert(term, id);
        id
    }

    pub fn boolean(&mut self, value: bool) -> TermId {
        self.add(Term::Boolean(value))
    }

    pub fn integer(&mut self, value: i64) -> TermId {
        self.add(Term::Integer(value))
    }

    pub fn enumerator(&mut self, symbol: Symbol) -> TermId {
        self.add(Term::Enumerator(symbol))
    }

    /// The current value of a variable.
    pub fn now(&mut self, variable: VariableId) -> TermId {
        self.add(Term::Variable {
            variable,
            primed: false,
        })
    }

    /// The next value of a variable.
    pub fn next(&mut self, variable: VariableId) -> TermId {
        self.add(Term::Variable {
            variable,
            primed: true,
        })
    }

    pub fn not(&mut self, operand: TermId) -> TermId {
        match *self.get(operand) {
            Term::Boolean(value) => self.boolean(!value),
            Term::Not(inner) => inner,
            _ => self.add(Term::Not(operand)),
        }
    }

    pub fn and(&mut self, operands: impl IntoIterator<Item = TermId>) -> TermId {
        self.connect(operands, false)
    }

    pub fn or(&mut self, operands: impl IntoIterator<Item = TermId>) -> TermId {
        self.connect(operands, true)
    }

    /// A conjunction, or a disjunction: `absorbing` is the constant that decides it.
    fn connect(&mut self, operands: impl IntoIterator<Item = TermId>, absorbing: bool) -> TermId {
        let mut kept: Vec<TermId> = Vec::new();
        for operand in operands {
            let same = match (self.get(operand), absorbing) {
                (Term::Boolean(value), _) if *value == absorbing => {
                    return self.boolean(absorbing);
                }
                (Term::Boolean(_), _) => continue,
                (Term::And(inner), false) | (Term::Or(inner), true) => inner.clone(),
                _ => vec![operand],
            };
            for operand in same {
                if !kept.contains(&operand) {
                    kept.push(operand);
                }
            }
        }
        match (kept.len(), absorbing) {
            (0, _) => self.boolean(!absorbing),
            (1, _) => kept[0],
            (_, false) => self.add(Term::And(kept)),
            (_, true) => self.add(Term::Or(kept)),
        }
    }

    pub fn implies(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.get(left), self.get(right)) {
            (Term::Boolean(false), _) | (_, Term::Boolean(true)) => self.boolean(true),
            (Term::Boolean(true), _) => right,
            (_, Term::Boolean(false)) => self.not(left),
            _ => self.add(Term::Implies(left, right)),
        }
    }

    pub fn iff(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.get(left), self.get(right)) {
            (Term::Boolean(true), _) => right,
            (_, Term::Boolean(true)) => left,
            (Term::Boolean(false), _) => self.not(right),
            (_, Term::Boolean(false)) => self.not(left),
            _ if left == right => self.boolean(true),
            _ => self.add(Term::Iff(left, right)),
        }
    }

    pub fn xor(&mut self, left: TermId, right: TermId) -> TermId {
        let same = self.iff(left, right);
        self.not(same)
    }

    /// Of integers, or of two enumerators for equality. Booleans are compared by `iff`.
    pub fn compare(&mut self, comparison: Comparison, left: TermId, right: TermId) -> TermId {
        match (self.get(left), self.get(right)) {
            (Term::Integer(left), Term::Integer(right)) => {
                let holds = comparison.holds(*left, *right);
                self.boolean(holds)
            }
            (Term::Enumerator(left), Term::Enumerator(right)) => {
                let holds = comparison.holds(i64::from(left.0), i64::from(right.0));
                self.boolean(holds)
            }
            _ => self.add(Term::Compare(comparison, left, right)),
        }
    }

    pub fn arithmetic(&mut self, operator: Arithmetic, left: TermId, right: TermId) -> TermId {
        if let (Term::Integer(left), Term::Integer(right)) = (self.get(left), self.get(right))
            && let Some(value) = operator.apply(*left, *right)
        {
            return self.integer(value);
        }
        self.add(Term::Arithmetic(operator, left, right))
    }

    pub fn operands(&self, id: TermId) -> Vec<TermId> {
        match self.get(id) {
            Term::Boolean(_) | Term::Integer(_) | Term::Enumerator(_) | Term::Variable { .. } => {
                Vec::new()
            }
            Term::Not(operand) => vec![*operand],
            Term::And(operands) | Term::Or(operands) => operands.clone(),
            Term::Implies(left, right)
            | Term::Iff(left, right)
            | Term::Compare(_, left, right)
            | Term::Arithmetic(_, left, right) => vec![*left, *right],
        }
    }

    /// The variables of a term, each with whether its next value is meant.
    pub fn variables(&self, root: TermId) -> BTreeSet<(VariableId, bool)> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let Term::Variable { variable, primed } = *self.get(id) {
                found.insert((variable, primed));
            }
            pending.extend(self.operands(id));
        }
        found
    }

    pub fn has_primed(&self, root: TermId) -> bool {
        self.variables(root).iter().any(|(_, primed)| *primed)
    }

    /// The same about the next step.
    pub fn primed(&mut self, root: TermId) -> Result<TermId, PrimedTwice> {
        if self.has_primed(root) {
            return Err(PrimedTwice);
        }
        Ok(self.replace(root, &mut |terms, variable, _| terms.next(variable)))
    }

    /// Puts another term in the place of each variable.
    pub fn replace(
        &mut self,
        root: TermId,
        image: &mut dyn FnMut(&mut Terms, VariableId, bool) -> TermId,
    ) -> TermId {
        let mut done: HashMap<TermId, TermId> = HashMap::new();
        let mut pending = vec![(root, false)];
        while let Some((id, operands_done)) = pending.pop() {
            if done.contains_key(&id) {
                continue;
            }
            if !operands_done {
                pending.push((id, true));
                pending.extend(
                    self.operands(id)
                        .into_iter()
                        .map(|operand| (operand, false)),
                );
                continue;
            }
            let new = match self.get(id).clone() {
                Term::Boolean(_) | Term::Integer(_) | Term::Enumerator(_) => id,
                Term::Variable { variable, primed } => image(self, variable, primed),
                Term::Not(operand) => self.not(done[&operand]),
                Term::And(operands) => {
                    let operands: Vec<_> = operands.iter().map(|operand| done[operand]).collect();
                    self.and(operands)
                }
                Term::Or(operands) => {
                    let operands: Vec<_> = operands.iter().map(|operand| done[operand]).collect();
                    self.or(operands)
                }
                Term::Implies(left, right) => self.implies(done[&left], done[&right]),
                Term::Iff(left, right) => self.iff(done[&left], done[&right]),
                Term::Compare(comparison, left, right) => {
                    self.compare(comparison, done[&left], done[&right])
                }
                Term::Arithmetic(operator, left, right) => {
                    self.arithmetic(operator, done[&left], done[&right])
                }
            };
            done.insert(id, new);
        }
        done[&root]
    }
}
