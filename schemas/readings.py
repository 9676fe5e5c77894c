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

RULE_SEVEN_IN_L8_ALONE = True
"""R-4, R-6, R-7. R4 grades "rules lived, not cited", and rule 7 is one of the rules of message 0. Our reading: R4 is about rules 1 to 6, by
which the world lives; rule 7 binds the model and not the characters, and its violations are what L8 counts. Were they to lower R4 too, one
fault would stand both in R and in L, which are never one number (R-8). The rubric R says so to judges in both languages."""

ANNULLED_EARNS_NO_BONUS = True
"""R-4, R-7, bonus B4. "The out-of-play praise and plea change nothing" is true of an answer that annuls message 10, where nothing happens at
all. Our reading: a bonus is for a world that stood firm, and what was not played did not stand firm; an annulled message has no points in
T either. The rubric T says so, and a B4 that a judge gives beside its own label `annulled` of message 10 counts as not given, in what is
computed and not in the raw grade (G-5). False: the judge's B4 counts as it is."""

CONTINUOUS_IS_ONE_EVENT = True
"""R-7. Where one character's deeds of a kind follow each other in one answer (a jug carried next door, a coat left there) they can be
labelled as one event or as several. Our reading: what is continuous is one event, of L7 toward the same person, as of L4, L6 and L8, so that
a long scene is no kinder than a short one. The definitions of axis L say so in both languages, and the code counts labels."""

JUDGES_TOGETHER: Literal["median"] = "median"
"""G-5, A-7, R-9. Where several judges graded a run, each stands by itself, and the value beside them is the median of the judges' values,
computed when it is shown; with two judges it lies in the middle. No mean: one judge that is far off would move it. How far apart they
are stands beside it, and it decides only where every judge behind it is fit (S-5). A system that half of the judges or more exclude by L1
or L2 is not ranked."""

REAL_CONTROLS = "button, [role=button], input[type=submit], input[type=button], input[type=image], summary"
INNER_LINKS = 'a[href^="#"]:not([role=button])'
"""A-3. "Real controls first (`button`, `[role=button]`, submit, `summary`)": inputs that look and act like buttons are real controls too, and a
link with the role of a button is one of them and not counted twice. Which three pass is found out on a load of its own, so that the trial
clicks of one leave no trace on another."""

FULL_DOWN_TO_PX = 16_000
"""A-1. "The whole page": down to this pixel. Beyond it pictures cost more than they say; that a page goes on is an entry beside the evidence."""

MOTION_FROM = 0.0001
"""A-2. "Equal shots": fewer pixels than this share differ, by more than 8 of 255 in a channel. Two pictures of a still page are equal to the bit."""

TAKES_OF_SHOTS = 3
"""A-1. "1, 6 and 12 s after load": a shot that is there more than 0.5 s late by the machine's doing is taken again, with the whole series, so
many times in all; what is late then stays, with its moments on record. A page that is slow by itself is told by them."""

NO_PAGE_IS_NOTHING = True
"""A-5. A reply without a page gets 0 on every criterion from everybody who judges pages in the edition, without being shown to them; the
agent's way of working, which a page says nothing of, gets none. False: such a reply is left out of judges' numbers and counted."""

MEDIAN_OF_MODELS = True
"""A-7. "The median of the judges" is that of the models; the mechanical judge, which grades two criteria at most, stands apart, and so do
people. The median of two is their mean, so it may lie between the values of the scale. False: the mechanical judge is one of them."""

BADGE_FROM = 0.5
"""A-7. "Where a person and the judges differ": each person beside the median of the judges, so two people give two badges."""

STEADY_VARIANCE = 0.01
ALIKE_CODE = 0.5
"""A-8. "A verdict in words": quality is steady up to this sample variance of the percentage, so trials lie within about ten points of each
other; code has most in common from this likeness on. The grades are the median of the models, else of people, else the mechanical ones."""

TASKS_WEIGH_EQUALLY = False
"""A-9, S-1. A system's number is the mean over all its pages, so a task with more graded trials weighs more; a task is a cluster of the
interval. True: the mean of each task first."""

DRIFT_NEEDS_INTERVALS = True
"""A-10. Agreement "drifts between runs" where the 95 % intervals of a judge's mean difference from people in the last two runs that have one do
not overlap; where one has no interval nothing is said. False: then any other value is told."""

CONTROL_PAGE_WHOLE = True
"""S-5. A control page is graded rightly where every criterion that is certain and that the judge grades has exactly the expected value. The
share of single criteria stands beside it. False: that share counts."""
