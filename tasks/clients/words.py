"""What a request says, for systems that take plain words and files instead of a list of messages."""

from schemas.exchange import Attachment, Request


def prompt_of(request: Request) -> str:
    """The words of a request: the only message as it is, a conversation turn by turn under the names of who speaks."""
    if len(request.messages) == 1:
        return request.messages[0].text
    return "\n\n".join(f"## {message.role}\n\n{message.text}" for message in request.messages)


def documents_of(request: Request) -> list[Attachment]:
    """The documents of all its messages, in order."""
    return [attachment for message in request.messages for attachment in message.attachments]
