from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("conduct", "0001_conduct_squashed_0003_warnings")]

    operations = [
        migrations.AlterField(
            model_name="conductcase",
            name="figures",
            field=models.JSONField(default=dict, verbose_name="figures"),
        ),
    ]
