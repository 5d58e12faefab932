"""Tables with named columns: CSV and TSV, Parquet, Arrow."""
