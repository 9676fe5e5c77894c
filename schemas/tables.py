"""All tables by name: the one list that the store, `zkusebna describe` and the tests go by."""

from schemas.answer import Answer
from schemas.call import Call
from schemas.case import Case
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.row import Row
from schemas.tendency import Tendency

TABLES: dict[str, type[Row]] = {model.table: model for model in (Case, Answer, Call, Grade, Profile, Tendency)}
