//! Corrections of a netlist: for one fault after the other, by games.

use super::games::LocationAnswer;
use super::share::Division;
use super::suspects::Layout;
use super::work::{ALTERNATIVES, Found, Work};
use super::{RepairError, Watch, say};

impl Work<'_> {
    /// The corrections with as few components as there are any for.
    pub fn netlist(&self, watch: &mut Watch) -> Result<Found, RepairError> {
        let (subject, options) = (self.subject, self.options);
        let netlist = subject.front_end().netlist();
        let layout = Layout::new(subject.front_end(), &subject.sources);
        let suspects = options.suspects.components(netlist, &layout)?;
        let division = Division::new(subject.front_end(), options.share.as_ref(), &[], &suspects);
        let own = suspects.into_iter();
        let mut found = Found {
            suspects: own.filter(|id| division.has_component(*id)).collect(),
            ..Found::default()
        };
        // Names that mean nothing are an error before anything is searched.
        if let Some(first) = found.suspects.first() {
            subject.front_end().readable(*first, &options.depends_on)?;
        }
        // Games are about what has to hold, not about what has to be possible.
        let most = if self.unpatched.has_fault() {
            self.most_faults().min(found.suspects.len())
        } else {
            0
        };
        let mut runs = None;
        for faults in 1..=most {
            let count = found.suspects.len();
            say(
                watch,
                &format!("looking for {faults} of {count} components"),
            );
            let games = self.games(ALTERNATIVES + options.rejected.len());
            let mut answer = LocationAnswer::all(&found.suspects, faults);
            if games.replays(&answer) {
                let runs = match &runs {
                    Some(runs) => runs,
                    None => runs.insert(self.runs()?),
                };
                games.replay(&mut answer, runs)?;
            }
            let mut corrections = Vec::new();
            games.run(&mut answer, &mut corrections, watch)?;
            let is_last = corrections.iter().any(|one| !one.vacuous)
                || answer.stopped.is_some()
                || answer.not_supported.is_some();
            found.corrections.extend(corrections);
            found.locations.push(answer);
            if is_last {
                break;
            }
        }
        found.part = division.answer(&found.corrections);
        Ok(found)
    }
}
