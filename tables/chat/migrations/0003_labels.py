import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0001_chat_squashed_0002_panel_steps_and_emotes")]

    operations = [
        migrations.AlterField(
            model_name="chatmessage",
            name="channel",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="messages",
                to="chat.chatchannel",
                verbose_name="channel",
            ),
        ),
        migrations.AlterField(
            model_name="chatmessage",
            name="emote",
            field=models.CharField(
                blank=True,
                db_default="",
                help_text="key of an emote",
                max_length=12,
                verbose_name="emote",
            ),
        ),
        migrations.AlterField(
            model_name="chatmessage",
            name="seq",
            field=models.BigIntegerField(
                help_text="number of its event on the stream",
                verbose_name="position in the channel",
            ),
        ),
        migrations.AlterField(
            model_name="chatreport",
            name="message",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reports",
                to="chat.chatmessage",
                verbose_name="chat message",
            ),
        ),
    ]
