"""How a transition and the label of its arc are chosen: three ways, one call.

    after   first the transition, then the label, by learners of their own for left and right
    joint   both at once: every transition that makes an arc exists once for every label
    bare    without labels

In every system the last two transitions, and only they, make arcs: `heads` and `children` say
which each would make now, and `sure` gathers for every word how certain its arc is, and its label
given the arc. Each way is made for one of two ways of telling what is right: `ask_with_costs`
where the system knows exactly
what transitions cost, `ask_with_reference` where it only estimates that, so that the cheapest is a
reference and no more.
"""

import numpy as np

from rollin.decisions.schema import UNKNOWN


def after(ask):
    """Make the way of choosing that takes the label behind the transition."""

    def choose_after(search, sentence, heads, children, costs, allowed, sure):
        """Choose the transition, then the label if there is an arc: (transition, label)."""
        if sentence.keep:
            leave_cheapest(allowed, costs)
        transition = ask(search, costs, allowed)
        arc = transition - (len(costs) - 2)
        doubt(sure, children, arc, search.certainty)
        if arc < 0:
            return transition, UNKNOWN
        fitting = fitting_labels(sentence, children[arc], heads[arc])
        label_costs = np.empty(len(fitting) if search.needs_reference else 0, np.float64)
        weigh_labels(sentence, children[arc], heads[arc], label_costs)
        if children[arc] < heads[arc]:
            label = search.predict("left label", costs=label_costs, allowed=fitting)
        else:
            label = search.predict("right label", costs=label_costs, allowed=fitting)
        sure[1, children[arc]] = search.certainty
        return transition, label

    return choose_after


def joint(ask):
    """Make the way of choosing that takes transition and label as one."""

    def choose_joint(search, sentence, heads, children, costs, allowed, sure):
        """Choose transition and label at once: (transition, label)."""
        if sentence.keep:
            leave_cheapest(allowed, costs)
        plain, labels = len(costs) - 2, len(sentence.below_root)
        label_costs = np.empty(labels, np.float64)
        all_allowed = np.zeros(plain + 2 * labels, np.bool_)
        all_costs = np.zeros(plain + 2 * labels, np.float64)
        for transition in range(plain):
            all_allowed[transition], all_costs[transition] = allowed[transition], costs[transition]
        for arc in range(2):
            if allowed[plain + arc]:
                fitting = fitting_labels(sentence, children[arc], heads[arc])
                weigh_labels(sentence, children[arc], heads[arc], label_costs)
                for label in range(labels):
                    place = plain + arc * labels + label
                    all_allowed[place] = fitting[label]
                    all_costs[place] = costs[plain + arc] + label_costs[label]
        action = ask(search, all_costs, all_allowed)
        doubt(
            sure, children, -1 if action < plain else (action - plain) // labels, search.certainty
        )
        if action < plain:
            return action, UNKNOWN
        return plain + (action - plain) // labels, (action - plain) % labels

    return choose_joint


def bare(ask):
    """Make the way of choosing without labels."""

    def choose_bare(search, sentence, heads, children, costs, allowed, sure):
        """Choose the transition: (transition, no label)."""
        if sentence.keep:
            leave_cheapest(allowed, costs)
        transition = ask(search, costs, allowed)
        doubt(sure, children, transition - (len(costs) - 2), search.certainty)
        return transition, UNKNOWN

    return choose_bare


def ask_with_costs(search, costs, allowed):
    """Let the transition be chosen, telling what each costs."""
    return search.predict("transition", costs=costs, allowed=allowed)


def ask_with_reference(search, costs, allowed):
    """Let the transition be chosen, telling which seems best."""
    best = -1
    for transition in range(len(costs)):
        if allowed[transition] and (best < 0 or costs[transition] < costs[best]):
            best = transition
    return search.predict("transition", reference=best, allowed=allowed)


def doubt(sure, children, arc, certainty):
    """Take down how certain a transition was.

    An arc is as certain as the least certain decision about its word: the one that made it, or one
    before that let the chance of another arc go by.
    """
    for each in range(2):
        if arc < 0 or arc == each:
            sure[0, children[each]] = min(sure[0, children[each]], certainty)


def leave_cheapest(allowed, costs):
    """Allow nothing but what costs least: so arcs that must be kept are."""
    least = np.inf
    for transition in range(len(costs)):
        if allowed[transition]:
            least = min(least, costs[transition])
    for transition in range(len(costs)):
        allowed[transition] = allowed[transition] and costs[transition] == least


def fitting_labels(sentence, child, head):
    """Say which labels an arc can have."""
    fitting = sentence.below_root if head == 0 else sentence.below_word
    right = sentence.labels[child]
    if sentence.keep and right >= 0:
        fitting = np.zeros(len(fitting), np.bool_)
        fitting[right] = True
    return fitting


def weigh_labels(sentence, child, head, costs):
    """Say that each label but the right one costs one.

    Where the head is wrong no label is better than another.
    """
    right = sentence.labels[child]
    matters = right >= 0 and sentence.heads[child] == head
    for label in range(len(costs)):
        costs[label] = 1.0 if matters and label != right else 0.0


def loss_of(sentence, child, head, label):
    """Count 2 for a wrong head, 1 for a wrong label, nothing where nobody knows."""
    if sentence.heads[child] == UNKNOWN:
        return 0.0
    if sentence.heads[child] != head:
        return 2.0
    return 1.0 if label >= 0 and 0 <= sentence.labels[child] != label else 0.0
