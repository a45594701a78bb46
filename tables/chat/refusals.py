"""Refusals of chat messages: a code and a sentence each."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class ChatRefusal(Refusal):
    """Base of the refusals of the chat."""


class ChatOff(ChatRefusal):
    """Refusal of every message: the room has no chat, or none for spectators."""

    code = "chat_off"
    sentence = _("There is no chat here.")


class NotAWriter(ChatRefusal):
    """Refusal of a reader without the right to write there."""

    code = "chat_not_yours"
    sentence = _("You read this chat, but you may not write in it.")


class EmptyText(ChatRefusal):
    """Refusal of a text without a visible character."""

    code = "chat_empty"
    sentence = _("This message says nothing.")


class TextTooLong(ChatRefusal):
    """Refusal of a text with more than `most` characters."""

    code = "chat_too_long"
    sentence = _("A message has at most %(most)s characters.")


class UnreadableText(ChatRefusal):
    """Refusal of control characters, changes of direction and stacked marks."""

    code = "chat_unreadable"
    sentence = _("This message has characters that cannot be shown here.")


class LinkRefused(ChatRefusal):
    """Refusal of a text with an address."""

    code = "chat_link"
    sentence = _("Links are not allowed here.")


class WordRefused(ChatRefusal):
    """Refusal of a text with a word of the room's list."""

    code = "chat_word"
    sentence = _("This message has a word that is not welcome here.")


class TooFast(ChatRefusal):
    """Refusal of a message that follows too soon; `wait_s` until the next one."""

    code = "chat_too_fast"
    sentence = _("Not so fast. Try again in %(wait_s)s s.")


class Silenced(ChatRefusal):
    """Refusal of a silenced player's message, with the `reason` and the end in ms."""

    code = "chat_silenced"
    sentence = _("You may not chat for now. Reason: %(reason)s")


class QuietHand(ChatRefusal):
    """Refusal during an all-in for the players who are still in the hand."""

    code = "chat_all_in"
    sentence = _("No chat for players in the hand while somebody is all-in.")


class NoSuchMessage(ChatRefusal):
    """Refusal of a report or deletion of a message that is not there."""

    code = "chat_no_message"
    sentence = _("There is no such message.")


class NotAModerator(ChatRefusal):
    """Refusal of a moderator's step by anybody else."""

    code = "chat_not_moderator"
    sentence = _("You do not moderate this chat.")


class NotBelowYou(ChatRefusal):
    """Refusal to silence oneself, or somebody who moderates the same chat."""

    code = "chat_not_below_you"
    sentence = _("You cannot silence yourself or another moderator.")


class NoSuchSilence(ChatRefusal):
    """Refusal to end a silence that is over, or holds elsewhere."""

    code = "chat_no_silence"
    sentence = _("This silence is over, or it is none of this club.")


class OwnSilence(ChatRefusal):
    """Refusal to end a silence of one's own account."""

    code = "chat_own_silence"
    sentence = _("You cannot end your own silence: ask another manager.")


class SilenceTooLong(ChatRefusal):
    """Refusal of a silence of less than one minute or more than `most`."""

    code = "chat_silence_minutes"
    sentence = _("A silence lasts from 1 to %(most)s minutes.")
