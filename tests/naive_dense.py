"""A slow twin of the dense learner: its formulas, one position and one decision after the other."""

import numpy as np


def scores(model, rows, looked, noted, kind):
    """The scores of all actions, for a decision about an example with these rows of vectors."""
    arrays, learner = model.arrays, model.learner
    x = ENCODERS[learner.encoder](arrays, arrays["table"][rows].sum(axis=1), learner.layers)
    hidden = learner.hidden
    total = arrays["kinds"][kind].copy()
    for slot, position in enumerate(looked):
        columns = slice(slot * hidden, (slot + 1) * hidden)
        if position < 0:
            total += arrays["blank"][0, columns]
        elif position >= len(x):
            total += arrays["blank"][1, columns]
        else:
            total += x[position] @ arrays["first"][:, columns]
    values = len(arrays["facts"]) // len(noted)
    for note, value in enumerate(noted):
        total += arrays["facts"][note * values + (value + 1) % values]
    first, lanes = model.out_first[kind], model.lanes[kind]
    out = arrays["out"][first : first + hidden * lanes].reshape(hidden, lanes)
    actions = len(list(model.use.schema.decisions.values())[kind])
    return (np.maximum(total, 0.0) @ out + arrays["out_shift"][kind, :lanes])[:actions]


def normalised(x, gain, shift):
    spread = np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
    return (x - x.mean(axis=1, keepdims=True)) / spread * gain + shift


def embedded(arrays, base, layers):
    return normalised(base, arrays["embed gain"], arrays["embed shift"])


def convolved(arrays, base, layers):
    x = embedded(arrays, base, 0)
    for layer, reach in zip(range(layers), (1, 1, 2, 4), strict=False):
        made = np.zeros_like(x)
        for n in range(len(x)):
            seen = [x[m] if 0 <= m < len(x) else 0 * x[n] for m in (n - reach, n, n + reach)]
            made[n] = np.concatenate(seen) @ arrays[f"conv {layer}"]
        x = x + np.maximum(made + arrays[f"conv {layer} shift"], 0.0)
        x = normalised(x, arrays[f"norm {layer} gain"], arrays[f"norm {layer} shift"])
    return x


def recurred(arrays, base, layers):
    x = convolved(arrays, base, 1)
    width = x.shape[1]
    for layer in range(1, layers):
        gates = x @ arrays[f"recur {layer}"]
        z = gates[:, :width]
        f, r = np.split(squashed(gates[:, width:] + arrays[f"recur {layer} shift"]), 2, axis=1)
        cells = np.zeros_like(x)
        for unit in range(width):
            order = range(len(x)) if unit < width // 2 else reversed(range(len(x)))
            cell = 0.0
            for n in order:
                cell = f[n, unit] * cell + (1 - f[n, unit]) * z[n, unit]
                cells[n, unit] = cell
        gain, shift = arrays[f"norm {layer} gain"], arrays[f"norm {layer} shift"]
        x = normalised(x + r * cells, gain, shift)
    return x


def squashed(x):
    return 0.5 + 0.5 * x / (1 + np.abs(x))


ENCODERS = {"embed": embedded, "conv": convolved, "recur": recurred}


def adam(weights, slopes, rate, first, second, tiny):
    """Kingma and Ba 2015, algorithm 1, for the gradients of several steps."""
    mean = square = np.zeros_like(weights)
    for step, slope in enumerate(slopes, 1):
        mean = first * mean + (1 - first) * slope
        square = second * square + (1 - second) * slope**2
        hats = mean / (1 - first**step), square / (1 - second**step)
        weights = weights - rate * hats[0] / (np.sqrt(hats[1]) + tiny)
    return weights
