from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("fairlog", "0001_log_squashed_0003_call_of_opened_deck"),
    ]
    expands = "The new constraint accepts every row that the one before accepted."

    operations = [
        migrations.RemoveConstraint(
            model_name="logleaf",
            name="leaf_has_index_and_bytes",
        ),
        migrations.AddField(
            model_name="logleaf",
            name="states",
            field=models.BinaryField(null=True),
        ),
        # Rows of before obey it: looking at all of them would hold up settlements.
        AddConstraintNotValid(
            model_name="logleaf",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("index", None),
                    models.Q(("index__gte", 0), ("leaf__isnull", False)),
                    _connector="OR",
                ),
                name="placed_leaf_has_bytes",
            ),
        ),
    ]
