"""Every Altair chart of tradekit, drawn offline.

Our charts are ordinary Altair charts: restyle, layer and save them as usual. They differ in how they show themselves:
the output holds the specification for JupyterLab's and Notebook's own Vega-Lite, and a still picture for everything
else (Voila, exported HTML, code hosts). Nothing is loaded from another host, and no setting of Altair is changed. To
show a chart of your own that way, begin with `charts.Chart` instead of `alt.Chart`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from io import BytesIO, StringIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from tradekit import theme
from tradekit._utils.atomic_files import write_whole
from tradekit.i18n import _
from tradekit.show.axes import MARKS, with_label

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "MARKS",
    "Chart",
    "ConcatChart",
    "FacetChart",
    "HConcatChart",
    "LayerChart",
    "RepeatChart",
    "VConcatChart",
    "row_texts",
]

# JupyterLab 4 bundles Vega-Lite 5 and recognises this type; what our charts use draws the same in 5 and 6.
_MIME: Final = "application/vnd.vegalite.v5+json"
_SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v5.json"  # a name, which nothing fetches


def _any_number_of_rows() -> AbstractContextManager[Any]:
    """Return a context in which Altair takes any number of rows, not just 5,000; a user's own transformer stays."""
    transformers: Any = alt.data_transformers
    own: AbstractContextManager[Any] = nullcontext()
    return transformers.enable(max_rows=None) if transformers.active == "default" else own


class _Offline:
    """The additions of our chart classes to Altair's: the theme, the offline picture, and both when combined."""

    def to_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        with _any_number_of_rows():
            spec: dict[str, Any] = super().to_dict(*args, **kwargs)  # type: ignore[misc]
        if "$schema" in spec:  # the whole chart, not a part of one
            spec["config"] = _merged(theme.VEGA_CONFIG, spec.get("config", {}))
            _keep_in_step(spec.get("params", []))
        return spec

    def _repr_mimebundle_(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        spec = self.to_dict()
        bundle: dict[str, Any] = {"text/plain": f"<{type(self).__name__}: {_name(spec)}>", "image/svg+xml": _svg(spec)}
        if not os.environ.get("SERVER_SOFTWARE", "").startswith("voila"):
            bundle[_MIME] = {**spec, "$schema": _SCHEMA}
        return bundle

    def save(self, fp: Any, format: str | None = None, *args: Any, **kwargs: Any) -> None:
        """Save as Altair's `save` does; an HTML file holds all that it needs (``inline=True``) unless told otherwise.

        A file is written whole, or not at all.
        """
        kind = format or (Path(fp).suffix.lstrip(".") if isinstance(fp, str | os.PathLike) else None)
        if kind == "html":
            kwargs.setdefault("inline", True)
        if not isinstance(fp, str | os.PathLike):
            return super().save(fp, format, *args, **kwargs)  # type: ignore[misc,no-any-return]
        written: BytesIO | StringIO = BytesIO() if kind in ("png", "pdf") else StringIO()
        super().save(written, kind, *args, **kwargs)  # type: ignore[misc]
        write_whole(fp, written.getvalue())

    def to_svg(self) -> str:
        """Return the chart as SVG text."""
        return _svg(self.to_dict())

    def __add__(self, other: Any) -> Any:
        return _offline(super().__add__(other))  # type: ignore[misc]

    def __or__(self, other: Any) -> Any:
        return _offline(super().__or__(other))  # type: ignore[misc]

    def __and__(self, other: Any) -> Any:
        return _offline(super().__and__(other))  # type: ignore[misc]

    def facet(self, *args: Any, **kwargs: Any) -> Any:
        return _offline(super().facet(*args, **kwargs))  # type: ignore[misc]

    def repeat(self, *args: Any, **kwargs: Any) -> Any:
        return _offline(super().repeat(*args, **kwargs))  # type: ignore[misc]


class Chart(_Offline, alt.Chart):
    """`alt.Chart`, drawn offline."""


class LayerChart(_Offline, alt.LayerChart):
    """`alt.LayerChart`, drawn offline."""


class HConcatChart(_Offline, alt.HConcatChart):
    """`alt.HConcatChart`, drawn offline."""


class VConcatChart(_Offline, alt.VConcatChart):
    """`alt.VConcatChart`, drawn offline."""


class ConcatChart(_Offline, alt.ConcatChart):
    """`alt.ConcatChart`, drawn offline."""


class FacetChart(_Offline, alt.FacetChart):
    """`alt.FacetChart`, drawn offline."""


class RepeatChart(_Offline, alt.RepeatChart):
    """`alt.RepeatChart`, drawn offline."""


_CLASSES: Final[dict[type, type]] = {
    cls.__bases__[1]: cls
    for cls in (Chart, LayerChart, HConcatChart, VConcatChart, ConcatChart, FacetChart, RepeatChart)
}


def _offline(chart: Any) -> Any:
    """Return `chart` as one of ours, if it is one of Altair's."""
    if type(chart) in _CLASSES:
        object.__setattr__(
            chart, "__class__", _CLASSES[type(chart)]
        )  # Altair's own takes it for a property of the chart
    return chart


def _merged(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """Return both configurations merged, level by level; the user's settings win."""
    merged = {**ours, **theirs}
    for key in ours.keys() & theirs.keys():
        if isinstance(ours[key], dict) and isinstance(theirs[key], dict):
            merged[key] = _merged(ours[key], theirs[key])
    return merged


def _svg(spec: dict[str, Any]) -> str:
    """Return a specification as SVG text, labelled with its title for screen readers."""
    import vl_convert  # takes a second to start

    return with_label(vl_convert.vegalite_to_svg(spec), _name(spec))


def _name(spec: dict[str, Any]) -> str:
    title = spec.get("title", "")
    return str((title.get("text") if isinstance(title, dict) else title) or _("chart"))


def row_texts(template: str, frame: pd.DataFrame) -> list[str]:
    """Fill a template with each row of a table, by the names of the columns.

    >>> import pandas as pd
    >>> row_texts("{ware}: {turns:.1f} turns", pd.DataFrame({"ware": ["RWBGY"], "turns": [2]}))
    ['RWBGY: 2.0 turns']
    """
    return [template.format(**{str(name): value for name, value in row.items()}) for row in frame.to_dict("records")]


# Sliders

_NUMBER, _STEPS = "_number", "_steps"  # endings of the names of a slider's extra parameters
_PAUSE: Final = 250  # milliseconds after the last key before a typed number counts


def number_slider(
    name: str,
    label: str,
    places: Sequence[float],
    chosen: float,
    numbers: Sequence[float] | None = None,
    number_label: str = "",
) -> tuple[alt.Parameter, ...]:
    """Return a slider over `places`, which are the same distance apart, and a field for its number.

    `numbers`: the numbers that the places stand for in the field, if not themselves.

    >>> [parameter.name for parameter in number_slider("share", "share of the losers", [0, 0.5, 1], 0.5)]
    ['share', 'share_number']
    """
    step = places[1] - places[0] if len(places) > 1 else 1
    ranged = alt.binding_range(min=places[0], max=places[-1], step=round(step, 9), name=f"{label} ")
    field = _("{label}: a number").format(label=number_label or label)
    typed = alt.binding(input="number", name=f"{field} ", debounce=_PAUSE)
    shown = numbers[places.index(chosen)] if numbers else chosen
    params = alt.param(name, value=chosen, bind=ranged), alt.param(name + _NUMBER, value=shown, bind=typed)
    return (*params, alt.param(name + _STEPS, value=[*numbers])) if numbers else params


def _keep_in_step(params: list[dict[str, Any]]) -> None:
    """Let each slider follow the field for its number, and the field the slider.

    Vega has ``on`` for it; Vega-Lite passes it through, although it is missing in its schema and so in Altair. Two
    parameters that follow each other would be a circle, so the field listens to the slider's own events on the page;
    and to its own, when it is left, to show the nearest number there is.
    """
    named = {param["name"]: param for param in params}
    for name, slider in named.items():
        typed, field = f"toNumber({name + _NUMBER})", named.get(name + _NUMBER)
        if field is None:
            continue
        if steps := named.get(name + _STEPS):
            borders = [(low + high) / 2 for low, high in pairwise(steps["value"])]
            place = " + ".join([f"({typed} > {border})" for border in borders] or ["0"])
            number = f"{name + _STEPS}[{name}]"
        else:
            low, high, step = (slider["bind"][end] for end in ("min", "max", "step"))
            place = f"round(1e9 * clamp({low} + round(({typed} - {low}) / {step}) * {step}, {low}, {high})) / 1e9"
            number = name
        moved = {"source": "window", "type": "input", "filter": f"event.target.name == '{name}'"}
        left = {"source": "window", "type": "change", "filter": f"event.target.name == '{name + _NUMBER}'"}
        slider["on"] = [{"events": {"signal": name + _NUMBER}, "update": f"isValid({typed}) ? {place} : {name}"}]
        field["on"] = [{"events": [moved, {**left, "debounce": 2 * _PAUSE}], "update": number}]
