//! The case that was seen first: an edit that is right but for one input in millions was shown
//! in place of the one that had been proved.

use super::case::Case;
use super::judge::{self, Folder};

#[test]
fn an_edit_is_not_shown_for_another_that_was_proved() {
    let folder = Folder::new("one");
    let texts = judge::judge(&Case::wide(), &folder).unwrap_or_else(|error| panic!("{error}"));
    let right = Case::wide()
        .text()
        .replace("assign y = near;", "assign y = hit;");
    assert!(texts.contains(&right), "{texts:#?}");
}
