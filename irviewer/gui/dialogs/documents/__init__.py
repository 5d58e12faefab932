"""The dialogs about documents: those ranked above one, and the fields of the card."""
