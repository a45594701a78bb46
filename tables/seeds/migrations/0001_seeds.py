"""Seeds of games, never changed; PostgreSQL seats no person in a research room."""

from __future__ import annotations

from django.db import migrations, models

LAWS = """
CREATE FUNCTION seeds_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the seed of a game stays: % on %', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER seeds_stay BEFORE UPDATE OR DELETE ON seeds_gameseed
    FOR EACH ROW EXECUTE FUNCTION seeds_stay();
CREATE FUNCTION seeds_seat_no_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM research_researchmark)
        AND NOT EXISTS (SELECT FROM accounts_user WHERE id = NEW.user_id AND is_bot) THEN
        RAISE EXCEPTION 'this is a research room: people are not seated here'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER seeds_seat_no_people BEFORE INSERT ON tables_seat
    FOR EACH ROW EXECUTE FUNCTION seeds_seat_no_people();
"""

NO_LAWS = """
DROP TRIGGER seeds_seat_no_people ON tables_seat;
DROP FUNCTION seeds_seat_no_people();
DROP TRIGGER seeds_stay ON seeds_gameseed;
DROP FUNCTION seeds_stay();
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [("research", "0001_mark"), ("tables", "0009_void_hands_of_table")]

    operations = [
        migrations.CreateModel(
            name="GameSeed",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("director", models.CharField(max_length=20, verbose_name="director")),
                ("game", models.BigIntegerField(verbose_name="game")),
                ("seed", models.BigIntegerField(verbose_name="seed")),
                ("given_at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
            ],
            options={
                "verbose_name": "seed of a game",
                "verbose_name_plural": "seeds of games",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("director", "game"), name="one_seed_for_a_game"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("seed__gte", 0)), name="seed_is_not_negative"
                    ),
                ],
            },
        ),
        migrations.RunSQL(LAWS, NO_LAWS),
    ]
