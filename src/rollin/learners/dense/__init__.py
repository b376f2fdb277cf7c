"""The dense learner: a vector for every position, and decisions that add up rows.

An encoder gives every position of a batch of examples a vector. One matrix product makes of all of
them what each would add to the hidden layer, were it seen through each slot: a row of `products`.
A decision is then the sum of a dozen such rows and of a row for every note, a ReLU, and a small
output layer for its kind (Chen and Manning 2014, with the product moved out of the decisions). The
gradient comes back as that of `products`, and one more product turns it into those of the vectors
and of the first layer.

    learner.py      the settings, and what a model begins with
    model.py        the weights, and how a step changes them
    workspace.py    examples encoded for one thread, and the way back
    decision.py     one decision: its scores, its gradient
    encoders/       what gives a position its vector

Decisions one after the other that look at and note the same (a label after its arc) share the sum.
"""

from rollin.learners.dense.learner import Dense

__all__ = ["Dense"]
