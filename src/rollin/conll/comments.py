"""Comments of the form `# key = value` before the words of a sentence."""


def comment_value(sentence: bytes, key: bytes) -> str | None:
    """Give the value of a comment `# key = value` before the words of a sentence."""
    for line in sentence.split(b"\n"):
        if not line.startswith(b"#"):
            return None
        name, equals, value = line[1:].partition(b"=")
        if equals and name.strip() == key:
            return value.strip().decode("utf-8", "replace")
    return None
