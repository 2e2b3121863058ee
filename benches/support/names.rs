//! The command line of benchmarks over named designs: `[--write] [NAME]...`

pub struct Wanted {
    /// Whether results go into the page of benchmarks.
    pub write: bool,
    names: Vec<String>,
}

impl Wanted {
    pub fn of_arguments() -> Wanted {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        Wanted {
            write: arguments.iter().any(|argument| argument == "--write"),
            names: arguments
                .into_iter()
                .filter(|one| !one.starts_with("--"))
                .collect(),
        }
    }

    /// Whether a name begins as one that was given; without any, all are wanted.
    pub fn has(&self, name: &str) -> bool {
        let mut names = self.names.iter();
        self.names.is_empty() || names.any(|wanted| name.starts_with(wanted.as_str()))
    }
}
