//! What `respin verify` found.

use super::property::{self, PropertyResult};
use crate::run::Run;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// What was found about each property that was asked about.
    pub properties: Vec<PropertyResult>,
}

impl VerifyReport {
    /// The runs that violate or cover a property, with its name.
    pub fn traces(&self) -> impl Iterator<Item = (&str, &Run)> {
        let properties = self.properties.iter();
        properties.filter_map(|one| Some((one.name.as_str(), one.trace.as_ref()?)))
    }

    pub(super) fn text(&self) -> String {
        property::text(&self.properties)
    }
}
