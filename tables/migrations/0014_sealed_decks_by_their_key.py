import django.db.models.deletion
from django.db import migrations, models

INDEX = "tables_sealeddeck_table_id_05afa6f3"


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("tables", "0013_hands_by_month"),
    ]
    expands = "An older process finds the decks of a table by the unique key, which begins with it."

    # AlterField would drop every index of this column, that of the open seal among them, and take
    # locks of both tables to make the foreign key anew.
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="sealeddeck",
                    name="table",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sealed_decks",
                        to="tables.table",
                    ),
                ),
            ],
            database_operations=[
                migrations.RunSQL(
                    f'DROP INDEX CONCURRENTLY IF EXISTS "{INDEX}"',
                    reverse_sql=f'CREATE INDEX CONCURRENTLY IF NOT EXISTS "{INDEX}"'
                    " ON tables_sealeddeck (table_id)",
                ),
            ],
        ),
    ]
