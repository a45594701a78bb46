"""Django app of the operator's commands."""

from __future__ import annotations

from django.apps import AppConfig


class DeployConfig(AppConfig):
    """App of the commands that start, prepare, measure and harm a room."""

    name = "deploy"
    verbose_name = "Deployment"
