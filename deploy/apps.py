"""The Django app that brings the operator's commands."""

from __future__ import annotations

from django.apps import AppConfig


class DeployConfig(AppConfig):
    """Commands that start, prepare, measure and harm a room."""

    name = "deploy"
    verbose_name = "Deployment"
