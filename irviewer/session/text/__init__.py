"""Text that users type or read: filters, terms, columns, document cards."""
