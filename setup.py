# Only what pyproject.toml cannot say: which packages there are, when two of them stand elsewhere (see there).
from setuptools import find_namespace_packages, setup

packages = find_namespace_packages(include=["tradekit", "tradekit.*"])
for package, folder in {"tradekit_data": "data", "tradekit_notebooks": "notebooks"}.items():
    packages += [package, *(f"{package}.{name}" for name in find_namespace_packages(folder))]

setup(packages=packages)
