"""Parameters and representations of scikit-learn's estimators, without importing it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

from multideid.errors import UsageError

if TYPE_CHECKING:
    from sklearn.utils import Tags


class Estimator:
    """Base class of estimators, whose constructor only stores its parameters.

    It follows scikit-learn's conventions without importing it, which takes a second:
    `sklearn.base.clone`, pipelines and searches accept its subclasses.
    """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters of the constructor.

        Parameters
        ----------
        deep : bool
            Whether to add parameters of parts, named ``part__parameter``.
        """
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: Any) -> Self:
        """Set parameters of the constructor, which the next `fit` uses.

        Raises
        ------
        UsageError
            If there is no such parameter; nothing is set then.
        """
        known = self.get_params(deep=False)
        unknown = sorted(params.keys() - known.keys())
        if unknown:
            earlier = getattr(self, "earlier_names", {})
            raise no_such_parameter(type(self).__name__, unknown[0], known, earlier)
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        """Return the constructor's call, with the parameters that are not the defaults."""
        defaults = inspect.signature(type(self)).parameters
        given = [
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if name not in defaults or not _same(value, defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(given)})"

    def _repr_html_(self) -> str:
        """Return the diagram that notebooks show, as for scikit-learn's estimators."""
        from sklearn.utils import estimator_html_repr

        return str(estimator_html_repr(self))

    def __sklearn_is_fitted__(self) -> bool:
        """Return whether `fit` was called."""
        return hasattr(self, "labels_")

    def __sklearn_tags__(self) -> Tags:
        """Return scikit-learn's description of an estimator of texts."""
        from sklearn.utils import InputTags, Tags, TargetTags

        texts = InputTags(one_d_array=True, two_d_array=False, string=True)
        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=texts)


def no_such_parameter(
    owner: str, param: str, known: Iterable[str], earlier: Mapping[str, str]
) -> UsageError:
    """Return the error for a parameter that does not exist.

    Parameters
    ----------
    owner : str
        What has no such parameter.
    param : str
    known : iterable of str
        The parameters that there are.
    earlier : mapping of str to str
        Earlier names of parameters, with today's.
    """
    has = list(known)
    today = earlier.get(param)
    remedy = f"it is now {today!r}" if today in has else f"it has: {', '.join(has) or 'none'}"
    return UsageError(f"{owner} has no parameter {param!r}; {remedy}")


def _same(value: object, default: object) -> bool:
    return value is default or (type(value) is type(default) and value == default)
