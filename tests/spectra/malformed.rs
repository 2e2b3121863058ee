//! Files with mistakes are refused with a place, whatever the mistake.

use crate::runs::random;
use respin::source::Sources;
use respin::spec::spectra;

const TEXT: &str = "import \"DwyerPatterns.spectra\" spec Lift
define N := 3; sizes[2] := {1, 2}; type Floor = Int(0..(N - 1));
env boolean [N] call; env {IDLE, BUSY} load; sys Floor floor; sys boolean[2][2] light;
predicate at(Floor f): floor = f;
pattern never(p) { var boolean seen; ini !seen; trans next(seen) iff (seen | p); alwEv !seen; }
monitor boolean busy { alw busy <-> load = BUSY; }
counter waits(0..4) { waits = 0; inc: busy; reset: call.any; overflow: modulo; }
regexp long := true* [busy]{2,N}; idle := ~([busy] | [call[0]])+;
asm one: alw !(call[0] & call[1]); asm alwEv load = IDLE & (next(load) in {IDLE, BUSY});
gar ini at(0) & (exists i in Floor . at(i)); gar never(floor > 1 & PREV(busy));
gar move{Int(0..1) i}: trans next(floor) = ite(light[i][0], sizes[i], floor mod 2);
gar t: trig long [PREV(busy)] |=> idle? () [H(!busy) S at(1)]; gar GF regexp(long & idle);
";

#[test]
fn the_text_itself_is_fine() {
    let mut sources = Sources::new();
    let file = sources.add("lift.spectra", TEXT);
    let spec = spectra::parse(&sources, file);
    assert!(spec.is_ok(), "{spec:?}");
}

#[test]
fn mistakes_have_a_place() {
    let pieces: Vec<&str> = TEXT
        .split_inclusive(|c: char| !c.is_alphanumeric())
        .collect();
    let mut random = random();
    let mut refused = 0;
    for _ in 0..3_000 {
        let mut changed = pieces.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(changed.len().max(1));
            let other = pieces[random.below(pieces.len())];
            match random.below(4) {
                0 if at < changed.len() => {
                    changed.remove(at);
                }
                1 if at < changed.len() => changed[at] = other,
                2 => changed.truncate(at),
                _ => changed.insert(at, other),
            }
        }
        let text = changed.concat();
        let mut sources = Sources::new();
        let file = sources.add("lift.spectra", text.as_str());
        let Err(errors) = spectra::parse(&sources, file) else {
            continue;
        };
        refused += 1;
        for error in errors {
            let label = error.labels.first().expect("a place");
            let end = label.span.end as usize;
            assert!(
                end <= text.len() && error.help.is_some(),
                "{error:?}\n{text}"
            );
        }
    }
    assert!(refused > 1_000, "{refused}");
}
