import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0013_hands_by_month"),
    ]

    operations = [
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
    ]
