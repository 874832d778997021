"""Many patterns at once: each is exported by itself, by all cores or by a cluster."""

from juggle_anim.batch.asked import Asked, ask
from juggle_anim.batch.cost import Cost, cost
from juggle_anim.batch.outcome import Outcome, State
from juggle_anim.batch.plan import Plan, plan
from juggle_anim.batch.run import run

__all__ = ["Asked", "Cost", "Outcome", "Plan", "State", "ask", "cost", "plan", "run"]
