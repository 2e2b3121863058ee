"""Where jobs run: this machine, a scheduler that is there already, or the queue of a cluster."""

import contextlib
import os

import dask
from distributed import Client, LocalCluster

# How many workers a job may see die before Dask gives it up: a worker that dies is mostly one
# that its queue has ended. A job that kills workers by itself has limits that prevent it.
MOST_DEATHS = 100

# Jobs are processes, so Dask's profile of its own threads says nothing, and a job takes seconds:
# looking after workers every few milliseconds would take a twentieth of the time of short jobs.
SETTINGS = {
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.memory.monitor-interval": "2s",
    "distributed.worker.profile.enabled": False,
}

# Queues by the name that `--on` takes, with the class of dask-jobqueue.
QUEUES = {
    "slurm": "SLURMCluster",
    "lsf": "LSFCluster",
    "sge": "SGECluster",
    "pbs": "PBSCluster",
    "moab": "MoabCluster",
    "oar": "OARCluster",
    "htcondor": "HTCondorCluster",
}


def exported(name, value):
    """A line of a shell that gives a setting to the Dask that is started behind it."""
    variable = name.upper().replace(".", "__").replace("-", "_")
    return f"export DASK_{variable}={value}"


@contextlib.contextmanager
def connect(on, workers, queue=None, memory="2GB", walltime="01:00:00", directives=()):
    """A client of the cluster that `on` means, for as long as the block runs."""
    dask.config.set({"distributed.scheduler.allowed-failures": MOST_DEATHS, **SETTINGS})
    if on == "local":
        cluster = LocalCluster(
            n_workers=workers or os.cpu_count() or 1,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
        )
        with cluster, Client(cluster) as client:
            yield client
    elif "://" in on:
        with Client(on) as client:
            yield client
    elif on in QUEUES:
        import dask_jobqueue

        options = {"queue": queue} if queue else {}
        cluster = getattr(dask_jobqueue, QUEUES[on])(
            cores=1,
            processes=1,
            memory=memory,
            walltime=walltime,
            job_extra_directives=list(directives),
            scheduler_options={"dashboard_address": None},
            # Workers on other machines do not see what is set here.
            job_script_prologue=[exported(*setting) for setting in SETTINGS.items()],
            **options,
        )
        with cluster:
            cluster.scale(jobs=workers or 4)
            with Client(cluster) as client:
                yield client
    else:
        known = ", ".join(["local", "tcp://HOST:PORT", *QUEUES])
        raise ValueError(f"`{on}` is no cluster: say one of {known}")
