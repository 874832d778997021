"""Batch export: many patterns, each to files of its own, on all cores or on a cluster."""

from juggle_anim.batch.plan import BatchItem, Outcome, Plan, State, batch_items, plan, run_task
from juggle_anim.batch.run import Cost, cost, run

__all__ = [
    "BatchItem",
    "Cost",
    "Outcome",
    "Plan",
    "State",
    "batch_items",
    "cost",
    "plan",
    "run",
    "run_task",
]
