"""What all tests need."""

import dralloc._native


def pytest_report_header() -> str:
    """Says what is tested: the wheel that is installed."""
    return f"dralloc {dralloc.__version__} in {dralloc._native.__file__}"
