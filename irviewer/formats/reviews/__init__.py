"""Formats of systematic reviews: ASReview and RIS."""
