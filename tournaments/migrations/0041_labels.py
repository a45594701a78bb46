import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    # Labels alone change: of other apps these need no more than the migrations before them.
    dependencies = [("tournaments", "0040_offering")]

    operations = [
        migrations.AlterField(
            model_name="auditrow",
            name="actor",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                to=settings.AUTH_USER_MODEL,
                verbose_name="by",
            ),
        ),
        migrations.AlterField(
            model_name="auditrow",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="audit",
                to="tournaments.tournament",
                verbose_name="tournament",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="chips_bought",
            field=models.PositiveBigIntegerField(
                default=0,
                help_text="all chips it brought into play: stack, re-buys, add-on",
                verbose_name="chips bought",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="dead_chips",
            field=models.PositiveBigIntegerField(
                default=0,
                help_text="chips that left play with who was disqualified or left (T-15)",
                verbose_name="chips out of play",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="merged_into",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="absorbed",
                to="tournaments.entry",
                verbose_name="merged into",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="moved",
            field=models.PositiveIntegerField(
                default=0, help_text="times moved to another table", verbose_name="moved"
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="number",
            field=models.PositiveIntegerField(
                help_text="counted from 1 in its tournament", verbose_name="number"
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="slot",
            field=models.PositiveSmallIntegerField(
                default=0,
                help_text="0, or counted from 1 among a player's entries at once (E-03)",
                verbose_name="entry of the player",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="entries",
                to="tournaments.tournament",
                verbose_name="tournament",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                to=settings.AUTH_USER_MODEL,
                verbose_name="player",
            ),
        ),
        migrations.AlterField(
            model_name="knockout",
            name="at",
            field=models.DateTimeField(auto_now_add=True, verbose_name="time"),
        ),
        migrations.AlterField(
            model_name="knockout",
            name="bounties",
            field=models.JSONField(
                default=list,
                help_text="[entry, cents paid at once, cents on its head] (N-04)",
                verbose_name="bounties",
            ),
        ),
        migrations.AlterField(
            model_name="knockout",
            name="button_distance",
            field=models.PositiveSmallIntegerField(verbose_name="seats after the button"),
        ),
        migrations.AlterField(
            model_name="knockout",
            name="entry",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="knock_out",
                to="tournaments.entry",
                verbose_name="entry",
            ),
        ),
        migrations.AlterField(
            model_name="knockout",
            name="hand",
            field=models.PositiveIntegerField(verbose_name="hand"),
        ),
        migrations.AlterField(
            model_name="knockout",
            name="order",
            field=models.PositiveIntegerField(
                help_text="counted from 1; one number per table's hand", verbose_name="order"
            ),
        ),
        migrations.AlterField(
            model_name="knockout",
            name="placed",
            field=models.BooleanField(default=False, verbose_name="placed"),
        ),
        migrations.AlterField(
            model_name="knockout",
            name="round",
            field=models.PositiveIntegerField(
                help_text="hand-for-hand round; 0 outside", verbose_name="round"
            ),
        ),
        migrations.AlterField(
            model_name="knockout",
            name="stack",
            field=models.PositiveBigIntegerField(verbose_name="stack"),
        ),
        migrations.AlterField(
            model_name="knockout",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="knock_outs",
                to="tables.table",
                verbose_name="table",
            ),
        ),
        migrations.AlterField(
            model_name="knockout",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="knock_outs",
                to="tournaments.tournament",
                verbose_name="tournament",
            ),
        ),
        migrations.AlterField(
            model_name="knockout",
            name="winners",
            field=models.JSONField(default=list, verbose_name="winners"),
        ),
        migrations.AlterField(
            model_name="move",
            name="absent",
            field=models.BooleanField(default=False, verbose_name="absent"),
        ),
        migrations.AlterField(
            model_name="move",
            name="bank_ms",
            field=models.PositiveIntegerField(default=0, verbose_name="time bank (ms)"),
        ),
        migrations.AlterField(
            model_name="move",
            name="chips",
            field=models.PositiveBigIntegerField(default=0, verbose_name="chips"),
        ),
        migrations.AlterField(
            model_name="move",
            name="decided_at",
            field=models.DateTimeField(auto_now_add=True, verbose_name="decided at"),
        ),
        migrations.AlterField(
            model_name="move",
            name="entry",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="moves",
                to="tournaments.entry",
                verbose_name="entry",
            ),
        ),
        migrations.AlterField(
            model_name="move",
            name="from_seat",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="from seat"),
        ),
        migrations.AlterField(
            model_name="move",
            name="from_table",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="moves_away",
                to="tables.table",
                verbose_name="from table",
            ),
        ),
        migrations.AlterField(
            model_name="move",
            name="hand",
            field=models.PositiveIntegerField(default=0, verbose_name="hand"),
        ),
        migrations.AlterField(
            model_name="move",
            name="seated_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="seated at"),
        ),
        migrations.AlterField(
            model_name="move",
            name="showdown",
            field=models.CharField(default="auto", max_length=4, verbose_name="at the showdown"),
        ),
        migrations.AlterField(
            model_name="move",
            name="to_seat",
            field=models.PositiveSmallIntegerField(verbose_name="to seat"),
        ),
        migrations.AlterField(
            model_name="move",
            name="to_table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="moves_here",
                to="tables.table",
                verbose_name="to table",
            ),
        ),
        migrations.AlterField(
            model_name="move",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="moves",
                to="tournaments.tournament",
                verbose_name="tournament",
            ),
        ),
        migrations.AlterField(
            model_name="move",
            name="version",
            field=models.PositiveBigIntegerField(
                help_text="balance version that decided it", verbose_name="version"
            ),
        ),
        migrations.AlterField(
            model_name="roombounty",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="room_bounties",
                to="tournaments.tournament",
                verbose_name="tournament",
            ),
        ),
        migrations.AlterField(
            model_name="roombounty",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                to=settings.AUTH_USER_MODEL,
                verbose_name="player",
            ),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="actor",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                to=settings.AUTH_USER_MODEL,
                verbose_name="by",
            ),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="entry",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="room_rulings",
                to="tournaments.entry",
                verbose_name="entry",
            ),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="to_table",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="room_rulings",
                to="tables.table",
                verbose_name="to table",
            ),
        ),
        migrations.AlterField(
            model_name="ruling",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="room_rulings",
                to="tournaments.tournament",
                verbose_name="tournament",
            ),
        ),
        migrations.AlterField(
            model_name="ticket",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tickets",
                to=settings.AUTH_USER_MODEL,
                verbose_name="player",
            ),
        ),
        migrations.AlterField(
            model_name="ticket",
            name="won_in",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tickets_won",
                to="tournaments.tournament",
                verbose_name="won in",
            ),
        ),
    ]
