"""Tests of Allergo."""
