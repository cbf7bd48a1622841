"""Tests of the whole suite."""
