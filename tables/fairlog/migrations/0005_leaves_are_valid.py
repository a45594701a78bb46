from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("fairlog", "0004_leaves_of_settlements"),
    ]
    expands = "No process waits while PostgreSQL looks at the rows."

    operations = [
        ValidateConstraint(model_name="logleaf", name="placed_leaf_has_bytes"),
    ]
