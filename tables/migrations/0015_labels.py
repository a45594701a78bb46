import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0014_sealed_decks_by_their_key")]

    operations = [
        migrations.AlterField(
            model_name="hand",
            name="actions",
            field=models.PositiveIntegerField(verbose_name="actions"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="finished_at",
            field=models.DateTimeField(auto_now_add=True, verbose_name="finished at"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="level",
            field=models.PositiveSmallIntegerField(verbose_name="level"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="number",
            field=models.PositiveIntegerField(verbose_name="number"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="players",
            field=models.PositiveSmallIntegerField(verbose_name="players"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="pot",
            field=models.BigIntegerField(verbose_name="pot"),
        ),
        migrations.AlterField(
            model_name="hand",
            name="released_at",
            field=models.DateTimeField(
                help_text="when its result was to be told, on the room's clock",
                null=True,
                verbose_name="released at",
            ),
        ),
        migrations.AlterField(
            model_name="hand",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="hands",
                to="tables.table",
                verbose_name="table",
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="big_blind",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="big blind"),
        ),
        migrations.AlterField(
            model_name="table",
            name="button",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="button"),
        ),
        migrations.AlterField(
            model_name="table",
            name="closed_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="closed at"),
        ),
        migrations.AlterField(
            model_name="table",
            name="dead_small_blind",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="dead small blind"
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="director",
            field=models.CharField(max_length=20, verbose_name="directed by"),
        ),
        migrations.AlterField(
            model_name="table",
            name="epoch",
            field=models.BigIntegerField(default=1, verbose_name="epoch"),
        ),
        migrations.AlterField(
            model_name="table",
            name="game",
            field=models.BigIntegerField(
                help_text="key of the tournament or ring game", verbose_name="game number"
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="granted_hand",
            field=models.PositiveIntegerField(default=0, verbose_name="granted hand"),
        ),
        migrations.AlterField(
            model_name="table",
            name="hand",
            field=models.PositiveIntegerField(
                default=0, help_text="number of the last settled hand", verbose_name="last hand"
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="number",
            field=models.PositiveIntegerField(
                help_text="number people see, counted from 1", verbose_name="number"
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="opened_at",
            field=models.DateTimeField(auto_now_add=True, verbose_name="opened at"),
        ),
        migrations.AlterField(
            model_name="table",
            name="round",
            field=models.PositiveIntegerField(
                default=0, help_text="last finished common round", verbose_name="round"
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="seats_max",
            field=models.PositiveSmallIntegerField(verbose_name="seats"),
        ),
        migrations.AlterField(
            model_name="table",
            name="small_blind",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="small blind"
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="status",
            field=models.CharField(
                choices=[("open", "open"), ("closed", "closed")],
                default="open",
                max_length=10,
                verbose_name="status",
            ),
        ),
    ]
