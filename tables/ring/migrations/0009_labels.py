import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    # Labels alone change: of other apps these need no more than the migrations before them.
    dependencies = [("ring", "0008_pool_pledges")]

    operations = [
        migrations.AlterField(
            model_name="jackpotwin",
            name="amount",
            field=models.BigIntegerField(verbose_name="amount"),
        ),
        migrations.AlterField(
            model_name="jackpotwin",
            name="hand",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="jackpot_wins",
                to="tables.hand",
                verbose_name="hand",
            ),
        ),
        migrations.AlterField(
            model_name="jackpotwin",
            name="jackpot",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="wins",
                to="ring.jackpot",
                verbose_name="jackpot",
            ),
        ),
        migrations.AlterField(
            model_name="jackpotwin",
            name="name",
            field=models.CharField(max_length=30, verbose_name="name"),
        ),
        migrations.AlterField(
            model_name="jackpotwin",
            name="pool",
            field=models.BigIntegerField(verbose_name="pool"),
        ),
        migrations.AlterField(
            model_name="jackpotwin",
            name="released_at",
            field=models.DateTimeField(db_index=True, verbose_name="released at"),
        ),
        migrations.AlterField(
            model_name="jackpotwin",
            name="role",
            field=models.CharField(max_length=8, verbose_name="role"),
        ),
        migrations.AlterField(
            model_name="jackpotwin",
            name="told",
            field=models.BooleanField(default=False, verbose_name="player told"),
        ),
        migrations.AlterField(
            model_name="jackpotwin",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                to=settings.AUTH_USER_MODEL,
                verbose_name="player",
            ),
        ),
        migrations.AlterField(
            model_name="penalty",
            name="planned",
            field=models.BigIntegerField(default=0, verbose_name="planned"),
        ),
        migrations.AlterField(
            model_name="penalty",
            name="planned_hand",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="planned in hand"
            ),
        ),
        migrations.AlterField(
            model_name="ringauditrow",
            name="session",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="audit",
                to="ring.ringsession",
                verbose_name="ring session",
            ),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="absent_since",
            field=models.DateTimeField(blank=True, null=True, verbose_name="absent since"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="after_dealt",
            field=models.BooleanField(default=False, verbose_name="then dealt in"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="after_hand",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="debts change after hand"
            ),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="after_owes_big",
            field=models.BooleanField(default=False, verbose_name="then owes the big blind"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="after_owes_small",
            field=models.BooleanField(default=False, verbose_name="then owes the small blind"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="auto_top_up",
            field=models.BooleanField(default=False, verbose_name="automatic top-up"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="bank_ms",
            field=models.PositiveIntegerField(default=0, verbose_name="time bank (ms)"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="began_at",
            field=models.DateTimeField(auto_now_add=True, verbose_name="began at"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="bought",
            field=models.BigIntegerField(
                default=0, help_text="all buy-ins and top-ups", verbose_name="bought"
            ),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="coming",
            field=models.BigIntegerField(default=0, verbose_name="chips on the way"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="due_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="looked after at"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="ended_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="ended at"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="sessions",
                to="ring.ringgame",
                verbose_name="game",
            ),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="hands",
            field=models.PositiveIntegerField(default=0, verbose_name="hands"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="is_new",
            field=models.BooleanField(default=True, verbose_name="new at the table"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="leaving",
            field=models.BooleanField(default=False, verbose_name="leaving"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="left_with",
            field=models.BigIntegerField(default=0, verbose_name="left with"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="lost_connection",
            field=models.BooleanField(default=False, verbose_name="lost connection"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="name",
            field=models.CharField(max_length=30, verbose_name="name"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="owes_big",
            field=models.BooleanField(default=False, verbose_name="owes the big blind"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="owes_small",
            field=models.BooleanField(default=False, verbose_name="owes the small blind"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="posts_now",
            field=models.BooleanField(default=False, verbose_name="posts at once"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="purchases",
            field=models.PositiveIntegerField(default=0, verbose_name="purchases"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="rake_paid",
            field=models.BigIntegerField(default=0, verbose_name="rake paid"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="ready_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="ready since"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="rebuy_until",
            field=models.DateTimeField(blank=True, null=True, verbose_name="may buy again until"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="seat",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="seat"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="showdown",
            field=models.CharField(default="auto", max_length=4, verbose_name="at the showdown"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="since_big",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="hands since the big blind"
            ),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="since_small",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="hands since the small blind"
            ),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="skips_big_blind",
            field=models.BooleanField(default=False, verbose_name="leaves before the big blind"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="stack",
            field=models.BigIntegerField(
                default=0,
                help_text="chips of a rapid pool in no hand",
                verbose_name="chips in no hand",
            ),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="state",
            field=models.CharField(
                choices=[("arriving", "arriving"), ("seated", "seated"), ("left", "left")],
                default="arriving",
                max_length=10,
                verbose_name="state",
            ),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="straddles",
            field=models.BooleanField(default=False, verbose_name="straddles"),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="table",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="ring_sessions",
                to="tables.table",
                verbose_name="table",
            ),
        ),
        migrations.AlterField(
            model_name="ringsession",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="ring_sessions",
                to=settings.AUTH_USER_MODEL,
                verbose_name="player",
            ),
        ),
    ]
