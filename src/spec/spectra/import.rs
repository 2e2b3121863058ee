//! Files that import others.
//!
//! What is imported are names for later use: types, definitions, predicates, patterns and
//! regular expressions. A variable or a requirement in an imported file would be part of
//! the specification or not, depending on who reads it, and is refused.

use super::tree::{Declaration, File};
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, FileId, Sources, Span};
use crate::spec::gr1::Gr1;

/// A file that another one asks for.
#[derive(Clone, Debug)]
pub struct Import {
    pub from: FileId,
    pub name: String,
    pub span: Span,
}

/// Whether a name is that of the language's own library, whose patterns are built in.
pub(super) fn is_library(name: &str) -> bool {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.strip_suffix(".spectra").unwrap_or(file) == "DwyerPatterns"
}

/// A file with all that it imports. `load` finds a file, and gives the same answer if it is
/// asked for the same file again.
pub fn parse_with_imports(
    sources: &mut Sources,
    file: FileId,
    load: &mut dyn FnMut(&mut Sources, &Import) -> Result<FileId, Diagnostic>,
) -> Result<Gr1, Vec<Diagnostic>> {
    let mut whole = File::default();
    let mut seen = vec![file];
    let mut next = 0;
    let mut errors = Vec::new();
    while let Some(&id) = seen.get(next) {
        next += 1;
        sources.limits().check()?;
        let tree = match super::read(id, &sources.file(id).text, sources.limits()) {
            Ok(tree) => tree,
            Err(mut wrong) => {
                errors.append(&mut wrong);
                continue;
            }
        };
        for import in &tree.imports {
            let asked = Import {
                from: id,
                name: import.text.clone(),
                span: import.span,
            };
            match load(sources, &asked) {
                Ok(found) if seen.contains(&found) => {}
                Ok(found) => seen.push(found),
                // Who has no copy of the library has the one that is built in.
                Err(_) if is_library(&import.text) => {}
                Err(error) => errors.push(error),
            }
        }
        if id == file {
            whole.name = tree.name.clone();
        } else {
            // One message says it for the whole file.
            errors.extend(tree.declarations.iter().find_map(refuse));
        }
        whole.declarations.extend(tree.declarations);
        whole.warnings.extend(tree.warnings);
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    super::finish(file, &whole, sources.limits())
}

/// What an imported file cannot have.
fn refuse(declaration: &Declaration) -> Option<Diagnostic> {
    let (what, span) = match declaration {
        Declaration::Variable { name, .. } => ("a variable", name.span),
        Declaration::Monitor(monitor) => ("a monitor", monitor.name.span),
        Declaration::Counter(counter) => ("a counter", counter.name.span),
        Declaration::Requirement(requirement) => ("a requirement", requirement.span),
        Declaration::Type(..)
        | Declaration::Define(..)
        | Declaration::Predicate { .. }
        | Declaration::Pattern(_)
        | Declaration::Regexp(..) => return None,
    };
    let message = format!("an imported file has {what}");
    let error = Diagnostic::error(codes::WRONG_PLACE, message).at(span, "declared here");
    Some(error.help(
        "move types, definitions, predicates, patterns and regular expressions that are \
         shared into a file of their own",
    ))
}
