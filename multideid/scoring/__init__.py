"""Fast scoring with trained linear models; start reading at `linear_sums`.

A score is a sum of what the strings around a token contribute. The words of this package:

part
    The linear part of one system's model. Those of all systems are compiled together.
source
    A view whose string determines the values of other views: of the token's own string follow
    its shape, its prefixes and whether a list has it.
row
    What one string adds to the scores of the token and its neighbours: the sums of its weights
    for all parts. A segment of it is what it adds at one offset.
cell
    The place of a token, or of padding between documents.

Rows are made once per distinct string (`strings`, `string_plan`, `string_sums`) and kept in one
array (`row_arena`). To score, `cell_rows` looks up the rows of each cell, `gather` and
`scatter_add` add their segments, and `conjunctions` adds the weights of joined values. All sums
are the same in any order where `exactness` holds. Chains are decoded by `viterbi`, and
`posterior` has their probabilities; `inference` has both in numpy, as a reference. `scorer`
decides when compiling is worthwhile.
"""
