"""Figures and text as files: palettes, styles, matplotlib, formulas, tables for export."""
