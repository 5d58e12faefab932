"""What other libraries hold as qrels and runs, read into columns: data frames, dictionaries, records, objects."""
