"""Every reading chosen where a method is ambiguous, in one place, with a switch where both readings are in use (G-14)."""

from typing import Literal

INVENTED_IN_DENOMINATOR = False
"""D-11 against D-13. A field that the document does not have "stays out of the denominator", yet a value given for it is "a wrong
value, flagged as invented". Our reading: it never enters the denominator of the share of right fields (so all systems are
measured on the same fields), it is counted among the errors, and the document is not faultless (D-14)."""

FAULTLESS_NEEDS_VALID_FIRST = False
"""D-14 and M-2. A document whose answer was valid only at the repeat can still be faultless; the share valid at the first try stands beside it."""

BOOTSTRAP_CLUSTER: Literal["document", "pair"] = "document"
"""S-1. "Cluster bootstrap over documents": a cluster is one document. For the language gap (D-15), a difference of twins, it is the pair."""

DEGENERATE_INTERVAL: Literal["wilson_documents"] = "wilson_documents"
"""S-1. Where all documents agree, a bootstrap has no width. Then the Wilson interval over documents stands in, taking each document
as one observation, which is wider than the truth and never 0."""

PRIVATE_FLOOR = 5
"""G-8. Aggregates over fewer than five private documents are not shown."""
