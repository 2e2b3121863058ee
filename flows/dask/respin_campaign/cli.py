"""The command line: from a plan to the same results folder that `respin campaign` makes."""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

# How often a job is given to a worker again after one on which it left no result.
MOST_RETRIES = 5


def run_job(line, respin, results, rerun=()):
    """On a worker: one job. Raises if it leaves no result, so that it is run elsewhere."""
    command = [respin, "campaign", "--quiet", "--job", line, "--results", results]
    command += reruns(rerun)
    ended = subprocess.run(command, capture_output=True, text=True)
    key = json.loads(line)["key"]
    if not (Path(results) / "results" / f"{key[:32]}.json").is_file():
        raise RuntimeError(f"no result: {ended.stderr.strip() or ended.stdout.strip()}")
    return ended.stdout.split("\n", 1)[0]


def reruns(rerun):
    return [word for which in rerun for word in ("--rerun", which)]


def pending(respin, plan, results, rerun=()):
    """The lines of the jobs that have no result, each once."""
    command = [respin, "campaign", plan, "--list", "pending", "--results", results]
    command += reruns(rerun)
    listed = subprocess.run(command, capture_output=True, text=True)
    if listed.returncode != 0:
        raise SystemExit(listed.stderr.strip() or f"{respin} ended with {listed.returncode}")
    lines = {json.loads(line)["key"]: line for line in listed.stdout.splitlines()}
    return list(lines.values())


def run(client, lines, respin, results, told=lambda text: None, rerun=()):
    """Runs job lines on the workers of a client. Returns the lines that left no result."""
    from distributed import as_completed

    # A line names the folder of its plan; what was typed is seen from here, and workers may be
    # elsewhere. A name without a folder is looked for in the path.
    results = os.path.abspath(results)
    if os.path.dirname(respin):
        respin = os.path.abspath(respin)
    futures = {}
    for line in lines:
        key = "respin-" + json.loads(line)["key"]
        future = client.submit(
            run_job, line, respin, results, rerun, key=key, retries=MOST_RETRIES
        )
        futures[future] = line
    failed, done, started = [], 0, time.monotonic()
    for future in as_completed(list(futures)):
        if future.status == "finished":
            done += 1
        else:
            failed.append(futures[future])
            told(f"{json.loads(futures[future])['name']}: {future.exception()}\n")
        left = (time.monotonic() - started) / max(done, 1) * (len(futures) - done - len(failed))
        told(f"\r{done} of {len(futures)} jobs, about {left:.0f} s left")
    return failed


def run_all(client, lines, respin, plan, results, told=lambda text: None, rerun=()):
    """Runs job lines, and what has to be run because of what they found: a repair that was split
    into parts has a last job, which is known when all of them are done."""
    tried, failed = set(), []
    while lines:
        tried.update(lines)
        failed += run(client, lines, respin, results, told, rerun)
        lines = [line for line in pending(respin, plan, results) if line not in tried]
    return failed


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="respin-campaign",
        # What is handed on may look like the beginning of an own option.
        allow_abbrev=False,
        usage="%(prog)s [OPTIONS] plan [OPTIONS of `respin campaign`]",
        description="Run a campaign of respin on a Dask cluster.",
        epilog="All other options go to `respin campaign`, which merges the results: --compare DIR, "
               "--no-times, --format json, --expect VERDICT. `respin campaign --help` lists them.",
    )
    parser.add_argument("plan", help="the plan, as for `respin campaign`")
    parser.add_argument("--on", default="local", metavar="CLUSTER",
                        help="local, tcp://HOST:PORT, slurm, lsf, sge, pbs (default: local)")
    parser.add_argument("--workers", type=int, help="how many workers are started")
    parser.add_argument("--results", help="the results folder (default: PLAN.results)")
    parser.add_argument("--respin", default="respin", help="the program, as workers find it")
    parser.add_argument("--rerun", action="append", default=[], metavar="WHICH",
                        help="run jobs again that have such a result: all, no, unknown, errors")
    parser.add_argument("--queue", help="the queue or partition")
    parser.add_argument("--memory", default="2GB", help="memory of each worker of a queue")
    parser.add_argument("--walltime", default="01:00:00", help="time of each worker of a queue")
    parser.add_argument("--directive", action="append", default=[],
                        help="a further line for the queue, such as --account=verification")
    options, rest = parser.parse_known_args(arguments)
    # What is left is for the report: --no-times, --compare DIR, --format json.
    results = options.results or str(Path(options.plan).with_suffix(".results"))
    lines = pending(options.respin, options.plan, results, options.rerun)

    def told(text):
        if sys.stderr.isatty() or not text.startswith("\r"):
            print(text, end="", file=sys.stderr, flush=True)

    failed = []
    if lines:
        from .clusters import connect

        with connect(options.on, options.workers, options.queue, options.memory,
                     options.walltime, options.directive) as client:
            failed = run_all(client, lines, options.respin, options.plan, results, told,
                             options.rerun)
        told("\r\033[K")
    if failed:
        print(f"{len(failed)} jobs left no result", file=sys.stderr)
    merge = [options.respin, "campaign", options.plan, "--merge", "--results", results, *rest]
    return subprocess.run(merge).returncode
