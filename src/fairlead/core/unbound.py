"""Names that templates call of a formulation, each replaced by its kernel of that name when a template is bound."""

from __future__ import annotations


def before(t, y, A, W):
    raise NotImplementedError


def after(t, y, dy, A, W):
    raise NotImplementedError


def rhs(t, y, dy, A, W):
    raise NotImplementedError


def drift(y, dy, A):
    raise NotImplementedError


def begin_step(t, y, A, W):
    raise NotImplementedError


def project(t, y, A, W):
    raise NotImplementedError


def observe(t, y, A, W, out):
    raise NotImplementedError
