"""Pure tournament rules: structures, fields, entries and results in; plans and amounts out."""
