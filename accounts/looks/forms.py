"""Form of a look."""

from __future__ import annotations

from django import forms

from accounts.looks.models import TableLook


class LookForm(forms.ModelForm[TableLook]):
    """Theme of all pages; felt, deck and size of tables."""

    class Meta:
        model = TableLook
        fields = ("theme", "felt", "deck", "size")
