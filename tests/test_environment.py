"""The match of two files: environment.yml takes from conda what pyproject.toml takes from pip, core and extra `lab`."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def environment():
    return yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def conda(environment):
    """Bounds by name for every conda line, which is `name` or `name >=1.2,<3`."""
    lines = [line for line in environment["dependencies"] if isinstance(line, str)]
    parsed = [re.fullmatch(r"([A-Za-z0-9._-]+)(?: ((?:[<>=!]=?[\w.]+,?)+))?", line) for line in lines]
    odd = [line for line, match in zip(lines, parsed, strict=True) if not match]
    assert not odd, f"environment.yml: neither `name` nor `name >=1.2,<3`: {odd}"
    names = [canonicalize_name(match[1]) for match in parsed]
    assert len(names) == len(set(names)), f"a package is named twice: {sorted(names)}"
    return {name: SpecifierSet(match[2] or "") for name, match in zip(names, parsed, strict=True)}


def test_same_packages_and_bounds(project, conda):
    wanted = [Requirement(line) for line in project["dependencies"] + project["optional-dependencies"]["lab"]]
    pip = {canonicalize_name(requirement.name): requirement.specifier for requirement in wanted}
    ours = {name: bounds for name, bounds in conda.items() if name not in {"python", "pip"}}
    missing = {name: str(bounds) for name, bounds in pip.items() if name not in ours}
    extra = sorted(ours.keys() - pip.keys())
    both = pip.keys() & ours.keys()
    differ = {name: f"{ours[name]} but {pip[name]} in pyproject.toml" for name in both if ours[name] != pip[name]}
    assert not missing, f"in pyproject.toml, not in environment.yml: {missing}"
    assert not extra, f"in environment.yml, not in pyproject.toml: {extra}"
    assert not differ, f"bounds of environment.yml differ: {differ}"


def test_same_pythons(project, conda):
    """The lower bound is `requires-python`; above, conda gets the Pythons that the classifiers promise."""
    named = [re.search(r":: 3\.(\d+)$", line) for line in project["classifiers"]]
    promised = {int(match[1]) for match in named if match}
    in_conda = {minor for minor in range(20) if f"3.{minor}.0" in conda["python"]}
    in_pip = {minor for minor in range(20) if f"3.{minor}.0" in SpecifierSet(project["requires-python"])}
    assert in_conda == promised, f"3.x in environment.yml: {in_conda}; in the classifiers: {promised}"
    assert min(in_pip) == min(promised), f"requires-python starts at 3.{min(in_pip)}"


def test_nothing_else(environment, conda):
    assert environment["name"] == "tradekit"
    assert environment["channels"] == ["conda-forge", "nodefaults"]
    assert "pip" in conda, "conda warns when a `pip:` section stands without pip"
    assert [line for line in environment["dependencies"] if not isinstance(line, str)] == [{"pip": ["-e ."]}]
