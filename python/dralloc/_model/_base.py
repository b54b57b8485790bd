"""What all classes of Kubernetes' objects have in common."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from types import UnionType
from typing import Any, ClassVar, Self, Union, cast, get_args, get_origin, get_type_hints

_EMPTY: tuple[Any, ...] = (None, "", (), {})

# No object of Kubernetes is nested as deep.
_DEPTH = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Is an object of Kubernetes' API, or a part of one; it never changes.

    Fields have the API's names in Python's spelling. What is left out has the default
    that an API server fills in.
    """

    API_VERSION: ClassVar[str] = ""
    KIND: ClassVar[str] = ""
    RENAMED: ClassVar[Mapping[str, str]] = {}

    def to_dict(self) -> dict[str, Any]:
        """Returns the object in Kubernetes' form, without what is empty."""
        form: dict[str, Any] = {}
        if self.KIND:
            form = {"apiVersion": self.API_VERSION, "kind": self.KIND}
        for field in fields(self):
            value = getattr(self, field.name)
            if value not in _EMPTY:
                form[_json_name(type(self), field.name)] = _encoded(value)
        return form

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> Self:
        """Returns the object of a dict in Kubernetes' form; other fields are left out.

        Raises `TypeError` for what has another form.
        """
        _check(form, Mapping, f"a dict of `{cls.__name__}`")
        known = {}
        for name, json_name, kind in _fields(cls):  # type: ignore[arg-type]
            value = form.get(json_name)
            if value is not None:
                known[name] = _decoded(value, kind)
        return cls(**known)


def _json_name(cls: type[Model], name: str) -> str:
    if name in cls.RENAMED:
        return cls.RENAMED[name]
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _encoded(value: Any, depth: int = 0) -> Any:
    # What is nested deeper the native module refuses.
    if depth > _DEPTH:
        return value
    depth += 1
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, tuple | list):
        return [_encoded(one, depth) for one in cast("Iterable[Any]", value)]
    if isinstance(value, Mapping):
        return {key: _encoded(one, depth) for key, one in cast("Mapping[str, Any]", value).items()}
    return value


@cache
def _fields(cls: type[Model]) -> tuple[tuple[str, str, Any], ...]:
    kinds = get_type_hints(cls)
    return tuple(
        (field.name, _json_name(cls, field.name), kinds[field.name]) for field in fields(cls)
    )


def _check(value: object, kind: Any, expected: str) -> None:
    if not isinstance(value, kind):
        message = f"a value of type `{type(value).__name__}`, expected {expected}"
        raise TypeError(message)


def _decoded(value: Any, kind: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        models = [one for one in inner if _is_model(one)]
        return models[0].from_dict(value) if models else value
    if origin is tuple:
        _check(value, list | tuple, "a list")
        return tuple(_decoded(one, inner[0]) for one in value)
    if _is_model(kind):
        return kind.from_dict(value)
    if isinstance(origin, type) and issubclass(origin, Mapping) and _is_model(inner[1]):
        return {key: inner[1].from_dict(one) for key, one in value.items()}
    return value


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Model)
