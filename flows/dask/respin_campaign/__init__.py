"""Runs the jobs of a respin campaign on a Dask cluster.

respin itself plans the campaign, runs each job and merges the results; this package only carries
job lines to workers. A result is a file that is written at once or not at all, so a job that runs
twice, or on a worker that is lost, changes nothing.
"""

from .cli import main, run, run_all
from .clusters import connect

__all__ = ["connect", "main", "run", "run_all"]
