//! Edits at several places that mend runs only together.
//!
//! Each place of the text has some sketches, of which at most one is used; the one that is used,
//! its template and the constants in it are solved for at once. Then, place by place, cheaper
//! templates are asked for as long as the runs stay mended.

use super::{Hole, HoleValues, Solving};
use crate::design::verilog::edits::SourceEdit;
use crate::sat::{self, Answer, Solver};
use crate::source::Sources;

/// A sketch with a template of it, by their indices.
type Chosen = (usize, usize);
/// What was chosen at each place, with the values of the holes.
type Choices = Vec<(Chosen, HoleValues)>;

impl Solving<'_> {
    /// Allows one sketch of each place; `places` has the indices of the sketches of each.
    pub fn one_for_each(&mut self, places: &[Vec<usize>]) {
        for sketch in &self.place.sketches {
            // Numbers that no template has would stand for the last one.
            for mode in sketch.templates.len() + 1..1 << sketch.mode.width {
                let is_mode = self.equals(sketch.mode, mode);
                let clause: Vec<sat::Literal> = is_mode.iter().map(|one| !*one).collect();
                self.frames.solver.add_clause(&clause);
            }
        }
        for place in places {
            let used: Vec<sat::Literal> = place.iter().map(|one| self.is_used(*one)).collect();
            for (count, one) in used.iter().enumerate() {
                for other in &used[..count] {
                    self.frames.solver.add_clause(&[!*one, !*other]);
                }
            }
        }
    }

    /// Edits, at most one for each place, that mend all runs together, and their values.
    pub fn edits(
        &mut self,
        places: &[Vec<usize>],
        sources: &Sources,
    ) -> Option<(Vec<SourceEdit>, Choices)> {
        if self.is_over() || self.frames.solver.solve(&[]) != Answer::Satisfiable {
            return None;
        }
        let mut values = self.values();
        let mut assumed = Vec::new();
        let mut chosen = Vec::new();
        for place in places {
            let Some((one, literals)) = self.cheapest(place, &values, &assumed) else {
                // It is not needed.
                for one in place {
                    assumed.push(!self.is_used(*one));
                }
                if self.frames.solver.solve(&assumed) != Answer::Satisfiable {
                    return None;
                }
                values = self.values();
                continue;
            };
            assumed.extend(literals);
            if self.frames.solver.solve(&assumed) != Answer::Satisfiable {
                return None;
            }
            values = self.values();
            chosen.push(one);
        }
        for (sketch, template) in &chosen {
            let sketch = &self.place.sketches[*sketch];
            self.come_close(sketch, *template, &mut values, &mut assumed);
        }
        let edits = chosen.iter().map(|(sketch, template)| {
            self.place.sketches[*sketch].edit(*template, &values, sources)
        });
        let edits = edits.collect::<Option<Vec<SourceEdit>>>()?;
        let chosen = chosen.into_iter().map(|one| (one, values.clone()));
        Some((edits, chosen.collect()))
    }

    /// Leaves out what was found before.
    pub fn leave_out_all(&mut self, chosen: &[(Chosen, HoleValues)]) {
        let mut clause = Vec::new();
        for ((sketch, template), values) in chosen {
            clause.extend(self.others(&self.place.sketches[*sketch], *template, values));
        }
        self.frames.solver.add_clause(&clause);
    }

    /// The cheapest template of a place beside what is assumed, with the literals that choose
    /// it; `None` if the place need not change. `values` are some that mend the runs.
    fn cheapest(
        &mut self,
        place: &[usize],
        values: &HoleValues,
        assumed: &[sat::Literal],
    ) -> Option<(Chosen, Vec<sat::Literal>)> {
        let mut unused = assumed.to_vec();
        for one in place {
            unused.push(!self.is_used(*one));
        }
        if self.frames.solver.solve(&unused) == Answer::Satisfiable {
            return None;
        }
        let sketches = &self.place.sketches;
        let mut templates: Vec<Chosen> = Vec::new();
        for one in place {
            let own = (0..sketches[*one].templates.len()).filter(|at| sketches[*one].has(*at));
            templates.extend(own.map(|template| (*one, template)));
        }
        templates.sort_by_key(|(sketch, template)| sketches[*sketch].templates[*template].cost);
        let present = place.iter().find_map(|one| {
            let mode = number(values, sketches[*one].mode);
            (mode > 0).then(|| (*one, mode.min(sketches[*one].templates.len()) - 1))
        });
        for one in templates {
            let literals = self.equals(sketches[one.0].mode, one.1 + 1);
            let question = [assumed, &literals].concat();
            if Some(one) == present || self.frames.solver.solve(&question) == Answer::Satisfiable {
                return Some((one, literals));
            }
        }
        None
    }

    /// Whether something else than what was written stands at a sketch.
    fn is_used(&mut self, sketch: usize) -> sat::Literal {
        let mode = self.bits(self.place.sketches[sketch].mode);
        self.frames.any(&mode)
    }
}

fn number(values: &HoleValues, hole: Hole) -> usize {
    let bits = values.get(&hole.number).into_iter().flatten().enumerate();
    bits.fold(0, |value, (index, bit)| value | usize::from(*bit) << index)
}
