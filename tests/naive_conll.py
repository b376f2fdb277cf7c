"""A slow and obvious reader of CoNLL files: the twin of the kernel that scans bytes."""

import re

TAGS = "ignored", "checked", "required"


def read(data, trees="checked"):
    """Give the sentences without errors, rows of fields, and all (line, kind) that are wrong."""
    found, problems = [], []
    data = data.removeprefix(b"\xef\xbb\xbf")
    ends = None
    lines = data.split(b"\n")
    last = lines.pop()
    if last:
        problems.append((len(lines) + 1, "no-last-newline"))
        lines.append(last)
    sentence = None
    for number, line in enumerate(lines, 1):
        ended = number <= len(lines) - bool(last)
        this = line.endswith(b"\r")
        line = line.removesuffix(b"\r")
        if ended and ends != "mixed":
            if ends not in (None, this):
                problems.append((number, "line-ends"))
                ends = "mixed"
            else:
                ends = this
        blank = not line
        spaces = not blank and not line.strip(b" \t\r")
        if not blank and not spaces and sentence is None:
            sentence = []
        try:
            (line + b"\n").decode()
        except UnicodeDecodeError:
            problems.append((number, "utf-8"))
            if sentence is not None:
                sentence.append((number, line, "broken"))
        if spaces:
            problems.append((number, "blank-with-spaces"))
            if sentence is not None:
                sentence.append((number, line, "broken"))
        if blank or spaces:
            if sentence is None and blank:
                problems.append((number, "extra-blank-line"))
            elif sentence is not None:
                close(sentence, number, trees, found, problems)
            sentence = None
        else:
            sentence.append((number, line, "line"))
    if sentence is not None:
        number = len(lines)
        if close(sentence, number, trees, found, problems):
            problems.append((number, "no-last-blank-line"))
    return found, sorted(problems)


def close(sentence, number, trees, found, problems):
    """Check the lines of a sentence; tell whether it has tokens."""
    wrong = any(what == "broken" for _, _, what in sentence)
    lines = [(at, line) for at, line, what in sentence if what == "line"]
    tokens = [(at, line) for at, line in lines if not line.startswith(b"#")]
    if not tokens:
        problems.append((number, "comments-only"))
        return False
    problems += [(at, "comment-inside") for at, line in lines
                 if line.startswith(b"#") and at > tokens[0][0]]  # fmt: skip
    words, ranges = [], []
    last = minor = 0
    in_step = True
    errors = []
    for at, line in tokens:
        fields = line.split(b"\t")
        id = fields[0]
        if len(fields) != 10:
            spaces = len(re.findall(rb"(?<! ) +", line)) - line.startswith(b" ")
            kind = "columns"
            if line.startswith(b"\xef\xbb\xbf"):
                kind = "bom-inside"
            elif len(fields) < 10 and len(fields) - 1 + spaces >= 9:
                kind = "spaces-for-tabs"
            errors.append((at, kind))
            in_step = False
            if word := re.match(rb"([1-9][0-9]*)(?:[\t ]|$)", line):
                last, minor = int(word[1]), 0
            continue
        errors += [(at, "field-empty") for field in fields if not field]
        if re.fullmatch(rb"[1-9][0-9]*", id):
            if int(id) != last + 1:
                errors.append((at, "blank-line-missing" if int(id) == 1 else "id-order"))
                in_step = False
            last, minor = int(id), 0
            head = fields[6]
            value = None
            if re.fullmatch(rb"0|[1-9][0-9]*", head):
                value = int(head)
            elif head != b"_" and head and trees != "ignored":
                value = "bad"
                kind = "head"
                if re.fullmatch(rb"-[0-9]+", head):
                    kind = "head-negative"
                elif re.fullmatch(rb"(0|[1-9][0-9]*)\.[1-9][0-9]*", head):
                    kind = "head-empty-node"
                errors.append((at, kind))
            elif not head and trees != "ignored":
                value = "bad"
            words.append((at, fields, value))
        elif match := re.fullmatch(rb"([1-9][0-9]*)-([1-9][0-9]*)", id):
            first, end = map(int, match.groups())
            before = ranges[-1][1] if ranges else 0
            if end < first:
                errors.append((at, "range-reversed"))
            elif first <= before:
                errors.append((at, "range-overlap"))
            elif first != last + 1:
                errors.append((at, "range-place"))
            else:
                ranges.append((at, end))
        elif match := re.fullmatch(rb"(0|[1-9][0-9]*)\.([1-9][0-9]*)", id):
            if (int(match[1]), int(match[2])) != (last, minor + 1):
                errors.append((at, "empty-node-order"))
            minor = int(match[2])
        else:
            in_step = False
            if re.match(rb"[1-9][0-9]*-", id):
                errors.append((at, "range"))
            elif re.match(rb"(0|[1-9][0-9]*)\.", id):
                errors.append((at, "empty-node"))
            elif id.startswith(b"\xef\xbb\xbf"):
                errors.append((at, "bom-inside"))
            elif id:
                errors.append((at, "id"))
    if in_step and ranges and ranges[-1][1] > last:
        errors.append((ranges[-1][0], "range-end"))
    if last == 0 and not errors and not wrong:
        errors.append((lines[0][0], "no-words"))
    if in_step and trees != "ignored" and words:
        told = check_tree(words, trees)
        problems += [each for each in told if each[1] in ("several-roots", "no-tree")]
        errors += [each for each in told if each[1] not in ("several-roots", "no-tree")]
    problems += errors
    if not errors and not wrong:
        found.append([[field.decode() for field in fields] for _, fields, _ in words])
    return True


def check_tree(words, trees):
    heads = [value for _, _, value in words]
    lines = [at for at, _, _ in words]
    count = len(heads)
    if all(head is None for head in heads):
        return [(lines[0], "tree-needed" if trees == "required" else "no-tree")]
    told = []
    for place, head in enumerate(heads):
        if head is None:
            told.append((lines[place], "head-missing"))
        elif isinstance(head, int) and head > count:
            told.append((lines[place], "head-outside"))
        elif head == place + 1:
            told.append((lines[place], "head-self"))
    cycles = set()
    for word in range(1, count + 1):
        way, at = [], word
        while isinstance(at, int) and 0 < at <= count and at not in way:
            way.append(at)
            at = heads[at - 1]
        if at in way and heads[at - 1] != at:
            cycles.add(frozenset(way[way.index(at) :]))
    told += [(None, "cycle", cycle) for cycle in cycles]
    known = all(isinstance(head, int) and head <= count and head != place
                for place, head in enumerate(heads, 1))  # fmt: skip
    if known and 0 not in heads:
        told.append((lines[0], "no-root"))
    if heads.count(0) > 1:
        told.append((lines[0], "several-roots"))
    # Any word of a cycle may be named: the lines of all are given, see the test.
    return [
        each if each[0] is not None else (tuple(lines[w - 1] for w in sorted(each[2])), "cycle")
        for each in told
    ]
