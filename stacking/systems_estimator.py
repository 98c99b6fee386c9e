"""Parameters of de-identifiers and, by nested names, of their base systems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from multideid.estimator import Estimator
from multideid.stacking.systems import Params, Systems, nested_params, with_nested_params


class SystemsEstimator(Estimator):
    """An estimator made of base systems, which its parameter ``systems`` names."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the constructor's parameters.

        Parameters
        ----------
        deep : bool
            Whether to add the parameters of the base systems, as ``mist__epochs``.
        """
        params = super().get_params()
        return params | (nested_params(self._named_systems(params)) if deep else {})

    def set_params(self, **params: Any) -> Self:
        """Set parameters of the constructor, and of base systems, as ``mist__epochs=5``.

        Raises
        ------
        UsageError
            If there is no such parameter; nothing is set then.
        """
        nested = {name: params.pop(name) for name in list(params) if "__" in name}
        if nested:
            systems = self._named_systems(self.get_params(deep=False) | params)
            params |= self._systems_params(with_nested_params(systems, nested))
        return super().set_params(**params)

    def _named_systems(self, params: Mapping[str, Any]) -> Systems:
        """Return the base systems that parameters name."""
        systems: Systems = params["systems"]
        return systems

    def _systems_params(self, systems: Mapping[str, Params]) -> dict[str, Any]:
        """Return the parameters that name base systems."""
        return {"systems": systems}
