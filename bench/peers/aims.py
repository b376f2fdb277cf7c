"""What is wanted of rollin's speed beside the others', and whether it is reached."""

from __future__ import annotations

WORDS_PER_SECOND = {"rollin-fast": 120_000, "rollin-default": 60_000}
"""From CoNLL-U to CoNLL-U, on one core."""
TIMES_AS_FAST = 5
RIVALS = ("udpipe", "spacy")


def aims(results: list[dict]) -> list[str]:
    """A table of what was measured of it, in Markdown: nothing, where no part of it was."""
    rates = {result["peer"]: result["file_words_per_second"] for result in results}
    names = {result["peer"]: result["name"] for result in results}
    rivals = [peer for peer in RIVALS if peer in rates]
    rows = []
    for peer, wanted in WORDS_PER_SECOND.items():
        if peer in rates:
            cells = [_verdict(f"{rates[peer]:,.0f}", rates[peer] >= wanted, f"{wanted:,}")]
            for rival in rivals:
                times = rates[peer] / rates[rival]
                cells.append(_verdict(f"{times:.1f}", times >= TIMES_AS_FAST, str(TIMES_AS_FAST)))
            rows.append(f"| {names[peer]} | {' | '.join(cells)} |")
    if not rows:
        return []
    headings = ["words a CPU-second", *(f"times as fast as {names[rival]}" for rival in rivals)]
    return [
        "File to file:",
        "",
        f"| | {' | '.join(headings)} |",
        "| --- |" + " --- |" * len(headings),
        *rows,
        "",
    ]


def _verdict(found: str, reached: bool, wanted: str) -> str:
    return f"{found} ({wanted} wanted: {'reached' if reached else '**MISSED**'})"
