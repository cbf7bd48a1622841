"""Allergo."""
