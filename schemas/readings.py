"""Every reading chosen where a method is ambiguous, in one place, with a switch where both readings are in use (G-14)."""

from typing import Literal

INVENTED_IN_DENOMINATOR = False
"""D-11 against D-13. A field that the document does not have "stays out of the denominator", yet a value given for it is "a wrong
value, flagged as invented". Our reading: it never enters the denominator of the share of right fields (so all systems are
measured on the same fields), it is counted among the errors, and the document is not faultless (D-14)."""

NAMES_AS_WRITTEN = True
"""D-11 and D-12, names in Czech, which are inflected. Our reading: the right form is the one that stands in the text ("Janem Horákem"), as the
prompt asks: it can be found again in the text and blacked out, it is the source data itself (D-3), and nobody has to decide what the base
form of a rare surname is. Titles are no part of a name; further mentions by the surname alone are no values. False: the base form
("Jan Horák") is right too."""

LISTS_ARE_SETS = True
"""D-12. "Complete and with nothing extra": neither the order of a list nor a value said twice counts. False: a value said
twice is one too many."""

FAULTLESS_NEEDS_VALID_FIRST = False
"""D-14 and M-2. A document whose answer was valid only at the repeat can still be faultless; the share valid at the first try stands beside it."""

BOOTSTRAP_CLUSTER: Literal["document", "pair"] = "document"
"""S-1. "Cluster bootstrap over documents": a cluster is one document. For the language gap (D-15), a difference of twins, it is the pair."""

DEGENERATE_INTERVAL: Literal["wilson_documents"] = "wilson_documents"
"""S-1. Where all documents agree, a bootstrap has no width. Then the Wilson interval over documents stands in, taking each document
as one observation, which is wider than the truth and never 0."""

AUDIENCE_DIFFERS_FROM_DISPUTED = True
"""J-5. "Where they differ, the claim is listed." Our reading: a decided claim differs where more of the audience says the opposite, a
disputed one where the audience is decided by the very rule of J-3. False: a disputed claim never differs."""

PRIVATE_FLOOR = 5
"""G-8. Aggregates over fewer than five private documents are not shown."""

OVERHEAD_BY_FULL_STOP = True
"""D-18. "The overhead of an empty prompt" is what the gateway counts for one message of empty text. Some gateways refuse such a message;
then the smallest one that they take stands in, a full stop, less the one token that it is in every vocabulary that we know. False: no
overhead and so no tax of such a system. The tax is not told at all where neither was counted."""

ATOMIC_PENALTY: Literal["factor", "flat"] = "factor"
"""L-7. "Lowers the whole by 50 %" for every missed must_contain and every violated must_not_contain is read as a factor of 0.5 each,
multiplied (`atomic_composite`), or as 50 points each, down to 0 (`atomic_composite_flat`). Both are always told; this one orders the standing."""

BONUS_COUNTS_EXTRA = True
"""L-6. The bonus is "may_contain, and citations beyond the required minimum": the share of given items, where citations beyond the
minimum are one more item beside those of may_contain. A case without may_contain has that item alone. False: may_contain alone, and the
other three areas of a case without it weigh 50 : 25 : 15 of 90."""

REFUSAL_MISSES_ALL = True
"""L-9. "Refusing to answer: then correctness is 0" holds for every judge, so an answer with the status `refused` misses every
must_contain, also where the composite is lowered for it (L-7), and its behaviour is underclaiming, whatever the judges say."""

NEEDS_BOTH_ORDERS = True
"""L-8. What is asked in both orders counts as the mean of both; a criterion that could be read in one order alone is left out, since a
single order carries the preference for its place. False: the order that there is counts alone."""

QUALITIES_TOGETHER = True
"""L-8. "30 % together for the quality of argument, the exactness of citations, and completeness": where a judge does not grade one of the
three (the mechanical judge the argument), the others share the 30 %. False: all weights that are there share the whole."""

FLIP_DECIDES_NOTHING = True
"""L-8. A judge whose preference between answer and foil differs with their order decides nothing about this answer: its holistic numbers
are left out and counted, and on a control answer it is not right (S-5). False: its means count like any other."""

FIT_LOW = 0.7
"""S-5. A judge is fit for a pass when the lower end of the 95 % interval of its share of rightly graded controls is at least this. A guess
among three outcomes is right for a third of them, so a fit judge is surely more than twice as good; with 120 controls it takes 78 % right,
with 40 85 %, and with 8 even all right are not enough. What an unfit judge produced is shown as not decisive, and so is what a judge
without graded controls did."""

RUNS_A_QUESTION = 1
"""R-9. "A judge's instance takes five or six runs at a time." Our reading: a question shows one run and one rubric, so what is said of one
run cannot depend on its neighbours, a run added later is judged under the same terms as the first, and no precedents are at hand. What
six runs at once would give, a scale that is the same for all of them, the anchors for every value give instead."""

QUOTE_FOR_NOTHING = True
"""R-9. "Every grade stands on a literal quote", also one that says that something is missing: then the quote is the sentence in whose place
it should stand. Only a bonus that is not given, and a message that was not reached, need none."""

CHAIN_ACROSS_GAPS = True
"""R-7, L5. "Consecutive turns that share most of their 5-word shingles, or a repeated sentence of eight words": whole turns repeat one
another only where they follow each other; a sentence of eight words or more makes a chain of all turns that it stands in."""

PLAYS_WELL = 0.5
"""R-11. A run plays well where L does not exclude it and it has at least this share of the points of T."""

CONTROL_NEAR = 1
"""S-5. A control transcript is graded rightly in pass 1 where at least 80 % of its items of T are within this many points of the
expected ones and L1 and L2 exclude it just as expected; in pass 2 where at least 80 % of its items of R are."""
