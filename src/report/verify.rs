//! What `respin verify` found.

use super::property::{self, PropertyResult};
use super::recorded::{self, RecordedResult};
use crate::design::ValueNames;
use crate::run::Run;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// What was found about each property that was asked about.
    pub properties: Vec<PropertyResult>,
    /// What was found about each recorded run.
    pub recorded: Vec<RecordedResult>,
    /// What values of signals are called, for pages.
    pub value_names: ValueNames,
}

impl VerifyReport {
    /// The runs that violate or cover a property, with its name.
    pub fn traces(&self) -> impl Iterator<Item = (&str, &Run)> {
        let properties = self.properties.iter();
        let recorded = self.recorded.iter();
        let recorded = recorded.filter_map(|one| Some((one.file.as_str(), one.run.as_ref()?)));
        properties
            .filter_map(|one| Some((one.name.as_str(), one.trace.as_ref()?)))
            .chain(recorded)
    }

    pub(super) fn text(&self) -> String {
        property::text(&self.properties) + &recorded::text(&self.recorded)
    }
}
