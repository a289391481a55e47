"""The shapes of programs: which operators each composes, and how."""

from __future__ import annotations
