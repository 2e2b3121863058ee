//! The folder of a campaign: a file for each result, pages, and the merged report.

use super::planned::Digests;
use crate::campaign::merge::{PAGES, RESULTS};
use crate::campaign::{Job, JobResult};
use crate::cli::input::explain;
use crate::cli::output::{create_directory, write_file};
use crate::limits::Limits;
use crate::source::Diagnostic;
use crate::source::codes::frame;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file that says that a campaign has made a folder.
const MARKER: &str = ".respin-campaign";
const MARK: &str = "The results of a campaign of respin.\n";

#[derive(Clone, Debug)]
pub struct Folder {
    pub path: PathBuf,
}

impl Folder {
    /// Makes the folder, or uses one that a campaign has made; another one is left as it is.
    pub fn create(path: &Path) -> Result<Folder, Diagnostic> {
        // A name without letters is the present directory.
        let path = match path.as_os_str().is_empty() {
            true => Path::new("."),
            false => path,
        };
        let is_used = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
        if is_used && !path.join(MARKER).is_file() {
            let message = format!(
                "`{}` is not the results folder of a campaign",
                path.display()
            );
            return Err(Diagnostic::error(frame::OUTPUT_EXISTS, message)
                .help("choose another folder with `--results DIR`, or empty this one"));
        }
        for directory in [path.to_path_buf(), path.join(RESULTS), path.join(PAGES)] {
            create_directory(&directory)?;
        }
        let folder = Folder {
            path: path.to_path_buf(),
        };
        if !is_used {
            folder.write(MARKER, MARK)?;
        }
        Ok(folder)
    }

    pub fn page(&self, job: &Job) -> PathBuf {
        self.path
            .join(PAGES)
            .join(format!("{}.html", job.file_name()))
    }

    fn result_name(job: &Job) -> String {
        format!("{RESULTS}/{}.json", job.file_name())
    }

    /// The result of a job, if there is one that still counts: written as a whole, for this job,
    /// with files that are as they were.
    pub fn result(&self, job: &Job, digests: &mut Digests, limits: &Limits) -> Option<JobResult> {
        let text = fs::read_to_string(self.path.join(Folder::result_name(job))).ok()?;
        let result = JobResult::unsealed(&text, job)?;
        let has_page = !result.page || self.page(job).is_file();
        let is_current = digests.are_unchanged(&result.read, job.folder().as_deref(), limits);
        (has_page && is_current).then_some(result)
    }

    /// Takes away the result that a job had, so that one that is there later is new.
    pub fn remove_result(&self, job: &Job) -> Result<(), Diagnostic> {
        let path = self.path.join(Folder::result_name(job));
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                let message = format!("cannot remove `{}`: {}", path.display(), explain(&error));
                Err(Diagnostic::error(frame::OUTPUT_UNWRITABLE, message))
            }
            _ => Ok(()),
        }
    }

    pub fn write_result(&self, job: &Job, result: &JobResult) -> Result<(), Diagnostic> {
        self.write(&Folder::result_name(job), &result.sealed())
    }

    /// Writes a file of the folder. Whoever else writes the same one at this moment writes the
    /// same, so the later one stays.
    pub fn write(&self, name: &str, text: &str) -> Result<(), Diagnostic> {
        let path = self.path.join(name);
        match write_file(&path, text.as_bytes(), true) {
            Err(problem) if problem.code == frame::OUTPUT_EXISTS => {
                write_file(&path, text.as_bytes(), true)
            }
            written => written,
        }
    }
}
