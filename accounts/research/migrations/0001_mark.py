"""Mark of a research room; PostgreSQL keeps it, and refuses accounts of people beside it."""

from __future__ import annotations

from django.db import migrations, models

MARK = """
CREATE FUNCTION research_mark_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a research room stays one: % on %', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER research_mark_stays BEFORE UPDATE OR DELETE ON research_researchmark
    FOR EACH ROW EXECUTE FUNCTION research_mark_stays();
CREATE FUNCTION research_refuses_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM research_researchmark) THEN
        RAISE EXCEPTION 'this is a research room: people have no accounts here'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER research_refuses_people BEFORE INSERT OR UPDATE OF is_bot, is_staff ON accounts_user
    FOR EACH ROW WHEN (NOT NEW.is_bot AND NOT NEW.is_staff AND NEW.deleted_at IS NULL)
    EXECUTE FUNCTION research_refuses_people();
"""

UNMARK = """
DROP TRIGGER research_refuses_people ON accounts_user;
DROP FUNCTION research_refuses_people();
DROP TRIGGER research_mark_stays ON research_researchmark;
DROP FUNCTION research_mark_stays();
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [("accounts", "0018_passkeys")]

    operations = [
        migrations.CreateModel(
            name="ResearchMark",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(
                        default=1, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("marked_at", models.DateTimeField(auto_now_add=True, verbose_name="time")),
            ],
            options={
                "verbose_name": "mark of a research room",
                "verbose_name_plural": "mark of a research room",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("id", 1)), name="room_is_marked_once"
                    )
                ],
            },
        ),
        migrations.RunSQL(MARK, UNMARK),
    ]
