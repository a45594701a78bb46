"""Overlays of a new database in one step.

Rooms of before have the replaced migrations behind them and are only marked.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from config.postgres.new_models import CreateModels


class Migration(migrations.Migration):
    replaces = [("overlays", "0001_overlays"), ("overlays", "0002_sponsors")]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournaments", "0033_cards_up"),
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name="Sponsor",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("file", models.CharField(max_length=100)),
                    (
                        "tournament",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="sponsor",
                            to="tournaments.tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "sponsor",
                    "verbose_name_plural": "sponsors",
                },
            ),
            migrations.CreateModel(
                name="OverlayLink",
                fields=[
                    (
                        "id",
                        models.BigAutoField(
                            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                        ),
                    ),
                    ("digest", models.CharField(max_length=64, unique=True)),
                    ("name", models.CharField(max_length=40, verbose_name="name")),
                    (
                        "theme",
                        models.CharField(
                            choices=[("dark", "dark"), ("light", "light"), ("green", "green")],
                            default="dark",
                            max_length=10,
                            verbose_name="colours",
                        ),
                    ),
                    ("made_at", models.DateTimeField(auto_now_add=True)),
                    ("revoked_at", models.DateTimeField(null=True)),
                    (
                        "made_by",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.PROTECT,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "tournament",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="overlay_links",
                            to="tournaments.tournament",
                        ),
                    ),
                ],
                options={
                    "verbose_name": "overlay link",
                    "verbose_name_plural": "overlay links",
                    "indexes": [models.Index(fields=["tournament"], name="overlay_of_tournament")],
                },
            ),
        ),
    ]
