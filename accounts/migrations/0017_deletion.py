"""Deleted accounts: when, and the names that nobody gets again."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

# After the row: an insert that waited for the unique name sees what was committed meanwhile.
TRIGGER = """
CREATE FUNCTION name_not_retired() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM accounts_retiredname
            WHERE digest = encode(sha256(convert_to(NEW.name_key, 'UTF8')), 'hex')) THEN
        RAISE EXCEPTION 'the name belonged to a deleted account'
            USING ERRCODE = 'unique_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER name_not_retired_when_made AFTER INSERT ON accounts_user
    FOR EACH ROW EXECUTE FUNCTION name_not_retired();
CREATE TRIGGER name_not_retired_when_changed AFTER UPDATE OF name_key ON accounts_user
    FOR EACH ROW WHEN (OLD.name_key IS DISTINCT FROM NEW.name_key)
    EXECUTE FUNCTION name_not_retired();
"""

NO_TRIGGER = """
DROP TRIGGER name_not_retired_when_made ON accounts_user;
DROP TRIGGER name_not_retired_when_changed ON accounts_user;
DROP FUNCTION name_not_retired();
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("accounts", "0016_second_factor")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="RetiredName",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
            ],
            options={"verbose_name": "retired name", "verbose_name_plural": "retired names"},
        ),
        migrations.AddField(
            model_name="user",
            name="deleted_at",
            field=models.DateTimeField(editable=False, null=True, verbose_name="deleted at"),
        ),
        migrations.RunSQL(TRIGGER, reverse_sql=NO_TRIGGER),
    ]
