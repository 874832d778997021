"""A page with the browser's side of a notebook's widget, as Jupyter makes it."""

from __future__ import annotations

import json
from pathlib import Path

from juggle_anim.notebook import AnimationWidget
from juggle_anim.notebook.widget import SLIDERS, TURNED

PLAYER = "document.querySelector('iframe:not(.coming)')?.contentWindow?.player"
"""The player in such a page."""

# What Jupyter gives the browser's side of a widget: values that both sides set, and who hears of
# it.
_MODEL = """
window.model = {
    values: JSON.parse(document.getElementById("values").textContent), heard: {}, saved: [], set(name, value) {
        this.values[name] = value;
        this.fresh = { ...this.fresh, [name]: value };
    },
    get(name) { return this.values[name]; },
    on(event, act) { (this.heard[event] ??= []).push(act); },
    save_changes() { this.saved.push(this.fresh); this.fresh = {}; },
    told(name, value) { this.values[name] = value; (this.heard[`change:${name}`] ?? []).forEach((act) => act()); },
};
const code = document.getElementById("code").textContent;
import("data:text/javascript," + encodeURIComponent(code)).then(({ default: widget }) => {
    window.stop = widget.render({ model, el: document.body });
});
"""


def write_page(path: Path, widget: AnimationWidget) -> None:
    """Write a page that shows a widget."""
    values = {name: getattr(widget, name) for name in ("page", "rows", "error", *SLIDERS, *TURNED)}
    given = json.dumps(values).replace("<", "\\u003c")
    path.write_text(
        f"<!doctype html><meta charset=utf-8><style>{widget._css}</style><body>"
        f'<script type="application/json" id="values">{given}</script>'
        f'<script type="text/plain" id="code">{widget._esm}</script><script '
        f'type="module">{_MODEL}</script></body>'
    )
