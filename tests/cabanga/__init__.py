"""Tests of Cabanga."""
