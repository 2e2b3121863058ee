//! Specifications written in each format and read again.

use crate::sketch::{Shape, Sketch};
use respin::bdd::Limits;
use respin::random::Random;
use respin::source::{Diagnostic, Sources};
use respin::spec::gr1::{Gr1, from_properties};
use respin::spec::{Spec, slugs, spectra};
use respin::synth::gr1;

fn realizable(spec: &Gr1) -> bool {
    let answer = gr1::solve(spec, Limits::default()).expect("no limits");
    let verdict = answer.unwrap_or_else(|flaw| panic!("{}", flaw.0));
    verdict.is_realizable()
}

fn read(
    text: &str,
    parse: fn(&Sources, respin::source::FileId) -> Result<Gr1, Vec<Diagnostic>>,
) -> Gr1 {
    let mut sources = Sources::new();
    let file = sources.add("test", text);
    parse(&sources, file).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

fn read_properties(text: &str) -> Gr1 {
    let list = |prefix: &str| -> Vec<String> {
        let line = text.lines().find_map(|line| line.strip_prefix(prefix));
        let names = line.expect("the header").trim();
        names
            .split(',')
            .filter(|name| !name.is_empty())
            .map(str::to_string)
            .collect()
    };
    let mut sources = Sources::new();
    let file = sources.add("test", text);
    let mut spec = Spec::new();
    spec.add_property_file(file, text)
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    from_properties(&spec, &list("// --ins"), &list("// --outs"))
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// Same variables and constraints, up to how constraints are written.
fn same(left: &Gr1, right: &Gr1) {
    let variables = |spec: &Gr1| -> Vec<String> {
        let all = spec.variables.iter();
        all.map(|one| {
            format!(
                "{:?} {} {}",
                one.owner,
                spec.domain_text(&one.domain),
                one.name
            )
        })
        .collect()
    };
    let constraints = |spec: &Gr1| -> Vec<String> {
        let all = spec.constraints.iter();
        all.map(|one| format!("{:?} {:?} {}", one.side, one.kind, spec.term_text(one.term)))
            .collect()
    };
    assert_eq!(variables(left), variables(right));
    assert_eq!(constraints(left), constraints(right));
}

#[test]
fn random_specifications_survive_each_format() {
    for seed in 40_000..40_200 {
        println!("seed {seed}");
        let shape = Shape {
            words: true,
            assume_system: false,
        };
        let sketch = Sketch::random(&mut Random::new(seed), shape);
        if sketch.constraints.is_empty() {
            continue;
        }
        let spec = sketch.build();
        let expected = realizable(&spec);
        let again = read(&spectra::write(&spec), spectra::parse);
        same(&spec, &again);
        assert_eq!(
            realizable(&again),
            expected,
            "Spectra, seed {seed}\n{sketch}"
        );
        let text = slugs::write_prefix(&spec).expect("few cases");
        let prefix = read(&text, slugs::parse_prefix);
        assert_eq!(
            realizable(&prefix),
            expected,
            "slugs, seed {seed}\n{sketch}"
        );
        // Once everything is Boolean, writing and reading changes nothing.
        assert_eq!(slugs::write_prefix(&prefix).expect("few cases"), text);
        let text = slugs::write_structured(&spec).expect("few cases");
        let structured = read(&text, slugs::parse_structured);
        assert_eq!(
            realizable(&structured),
            expected,
            "structured, seed {seed}\n{sketch}\n{text}"
        );
        let text = spec.write_properties().expect("few cases");
        let properties = read_properties(&text);
        assert_eq!(
            realizable(&properties),
            expected,
            "properties, seed {seed}\n{sketch}\n{text}"
        );
    }
}

#[test]
fn words_and_memories_survive_spectra() {
    let text = "spec Lift
        type Floor = Int(0..5);
        env boolean[2] request;
        env {UP, DOWN} wish;
        sys Floor floor;
        sys {DOWN, UP, HOLD} direction;
        define top := floor = 5;
        predicate near(Floor f): floor - f <= 1 & f - floor <= 1;
        counter rounds(0..3) { rounds = 0; reset: top; inc: wish = UP; overflow: modulo; }
        monitor boolean moved { ini !moved; trans next(moved) <-> next(floor) != floor; }
        asm fair: alwEv request[0] | wish = DOWN;
        gar start: ini floor = 0;
        gar steps: trans (next(floor) in {0-5}) & near(0) | floor mod 2 = 1 -> next(floor) + 1 > floor;
        gar follow: trans forall i in Int(0..1) . request[i] -> next(direction) != HOLD;
        gar past: trans ONCE(request[1]) & HISTORICALLY(!top) & (top SINCE moved) -> PREV(wish = UP);
        gar respondsTo(request[0], floor = 3);
        gar live: alwEv rounds = 0 | direction = wish;
    ";
    let spec = read(text, spectra::parse);
    let again = read(&spectra::write(&spec), spectra::parse);
    assert_eq!(spectra::write(&spec), spectra::write(&again));
    assert_eq!(realizable(&again), realizable(&spec));
    let prefix = slugs::write_prefix(&spec).expect("few cases");
    assert_eq!(
        realizable(&read(&prefix, slugs::parse_prefix)),
        realizable(&spec)
    );
}
