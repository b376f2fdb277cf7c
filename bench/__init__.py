"""Benchmarks: what rollin is measured on, and beside whom."""
