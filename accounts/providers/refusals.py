"""Refusals of log-ins by other providers; each changes nothing."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class ProviderSilent(Refusal):
    """Provider that does not answer in time, or answers with an error of its own."""

    code = "provider_silent"
    sentence = _(
        "%(provider)s does not answer just now. Nothing has changed: try again later, or log in"
        " another way."
    )


class ProviderDeclined(Refusal):
    """Provider or person that declined the log-in there."""

    code = "provider_declined"
    sentence = _("%(provider)s did not log you in. Nothing has changed.")


class ProofRefused(Refusal):
    """Answer of a provider that proves nothing; the log says why."""

    code = "proof_refused"
    sentence = _("The answer of %(provider)s is not valid. Nothing has changed: try again.")


class ProviderStepOver(Refusal):
    """Return from a provider that this browser did not begin, or began too long ago."""

    code = "provider_step_over"
    sentence = _(
        "This log-in is over: it was begun in another browser or too long ago. Begin it again."
    )


class NotAskedAgain(Refusal):
    """Provider that logged a person in without asking, where the room wanted a fresh log-in."""

    code = "not_asked_again"
    sentence = _("%(provider)s did not ask you to log in again. Enter your password instead.")


class AddressKnown(Refusal):
    """New log-in with the e-mail address of an account here: never joined to it by itself."""

    code = "address_known"
    sentence = _(
        "An account here already has the e-mail address of your account at %(provider)s. Log in"
        " to it and link %(provider)s under Account."
    )


class LinkedElsewhere(Refusal):
    """Log-in at a provider that belongs to another account."""

    code = "linked_elsewhere"
    sentence = _("This account at %(provider)s is linked to another account here.")


class LinkedAlready(Refusal):
    """Second log-in at a provider for one account."""

    code = "linked_already"
    sentence = _("Your account is linked to another one at %(provider)s: unlink that first.")


class NotLinked(Refusal):
    """Log-in at a provider that is not the user's own, shown instead of a password."""

    code = "not_linked"
    sentence = _("This account at %(provider)s is not linked to your account.")


class LastWayIn(Refusal):
    """Removal of the only way into an account, a link or a passkey."""

    code = "last_way_in"
    sentence = _("This is the only way into your account: set a password or add a passkey first.")


class AccountClosed(Refusal):
    """Log-in into a banned account."""

    code = "account_closed"
    sentence = _("This account cannot log in. Ask an operator.")
