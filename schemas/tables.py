"""All tables by name: the one list that the store, `zkusebna describe` and the tests go by."""

from schemas.answer import Answer
from schemas.call import Call
from schemas.case import Case
from schemas.evidence_row import EvidenceFile
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.row import Row
from schemas.tendency import Tendency
from schemas.vote import AudienceVote, Check, Vote

TABLES: dict[str, type[Row]] = {
    model.table: model
    for model in (Case, Answer, Call, EvidenceFile, Grade, Profile, Tendency, Vote, Check, AudienceVote)
}
