"""Tests of Bungee."""
