"""Pages of an account: sign up, log in, log out, and the wallet with its statement."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.views import (
    INTERNAL_RESET_SESSION_TOKEN,
    LoginView,
    LogoutView,
    PasswordChangeView,
    PasswordResetConfirmView,
)
from django.contrib.messages.views import SuccessMessageMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.ledger.statements import statement
from accounts.ledger.transfers import held_by
from accounts.logins import lockout, open_sessions
from accounts.logins.lockout import source_of_request
from accounts.logins.minting import BACKEND
from accounts.mail import addresses, outgoing, required_address
from accounts.mail.notices import tell_password_changed
from accounts.models import AccountKind, User
from accounts.notifications.own_rows import followed_session
from accounts.pages.confirm import ask_again, shows_anew
from accounts.pages.email import on_its_way
from accounts.pages.forms import (
    LoginForm,
    NewPasswordForm,
    OwnPasswordForm,
    SignUpForm,
    UserPasswordForm,
)
from accounts.pages.idle import COOKIE
from accounts.pages.onward import onward_of
from accounts.pages.second_factor import owe_code
from accounts.refusals import words_of
from accounts.users.password_links import mailed_tokens, note_use, tokens, told
from accounts.users.second_factor import is_on
from accounts.users.welcome import was_welcomed
from config.inputs.numbers import whole
from config.refusals import Refusal

_NO_MONEY = _(
    "Today's free play money for your network has been given out. An operator can give you some."
)


@method_decorator(never_cache, name="dispatch")
class LogIn(LoginView):
    """Log-in page; a logged-in visitor is redirected."""

    template_name = "accounts/login.html"
    authentication_form = LoginForm
    redirect_authenticated_user = True
    extra_context = {"mail_is_on": outgoing.is_on}

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Add why the last session ended, if the room ended it, and other ways to log in."""
        more |= {"ended": self.request.COOKIES.get(COOKIE), "providers": settings.OPENID_PROVIDERS}
        return super().get_context_data(**more)

    def get_success_url(self) -> str:
        """Return the page to go on with, never this one."""
        wanted = super().get_success_url()
        is_this = urlsplit(wanted).path == self.request.path
        return self.get_default_redirect_url() if is_this else wanted

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the page; why it is shown is said once."""
        answer = super().get(request, *args, **kwargs)
        answer.delete_cookie(COOKIE, samesite="Lax")
        return answer

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Log in, or ask for the code of the second factor first."""
        user = form.get_user()
        assert isinstance(user, User)
        if is_on(user):
            return owe_code(self.request, user, self.get_success_url())
        return super().form_valid(form)


@method_decorator(never_cache, name="dispatch")
class NewPassword(SuccessMessageMixin[UserPasswordForm], PasswordResetConfirmView):
    """Page of a link for a new password.

    A set password ends every earlier session and link, and the lock-out of forgotten ones.
    """

    template_name = "accounts/new_password.html"
    form_class = NewPasswordForm
    token_generator = tokens
    success_url = reverse_lazy("login")
    success_message = _("Your new password is set: log in with it.")

    def form_valid(self, form: UserPasswordForm) -> HttpResponse:
        """Set the password and note the use of a link that an operator handed over."""
        token = self.request.session.get(INTERNAL_RESET_SESSION_TOKEN)
        is_mailed = mailed_tokens.check_token(form.user, token)  # void with the new password
        answer = super().form_valid(form)
        if self.request.user == form.user:
            # Ended below as well: a session that a page still writes to has to end by its request.
            logout(self.request)
        open_sessions.end_others(form.user, None)
        lockout.forgive(self.request, form.user)
        if not is_mailed:
            note_use(form.user)
        tell_password_changed(form.user)
        return answer


class LogOut(LogoutView):
    """End the session; POST only."""

    http_method_names = ["post", "options"]


@method_decorator(never_cache, name="dispatch")
class AccountPage(SuccessMessageMixin[PasswordChangeForm], PasswordChangeView):
    """Page of an account: name, wallet, and its password; a change ends every other session.

    An account without a password sets its first one after a log-in of the last minutes.
    """

    template_name = "accounts/account.html"
    form_class = OwnPasswordForm
    success_url = reverse_lazy("account")
    success_message = _("Your password is changed.")

    def get_form_class(self) -> type[PasswordChangeForm]:
        """Ask for the old password where there is one."""
        # Both forms are made of a user and show errors alike; only the change has the old one.
        return OwnPasswordForm if self._has_password() else cast(Any, NewPasswordForm)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Give the request to the form with the old password, whose wrong tries are counted."""
        more = {"request": self.request} if self._has_password() else {}
        return super().get_form_kwargs() | more

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Change the password, or set the first one after the log-in was shown."""
        if not self._has_password() and not shows_anew(request):
            return ask_again(request, request.path)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Set the password, end the other sessions and mail a notice."""
        with followed_session(self.request.session):
            answer = super().form_valid(form)
        # Django gave this session another key: its row of the list went with the former one.
        open_sessions.end_others(form.user, self.request.session.session_key)
        open_sessions.note_seen(self.request, form.user)
        tell_password_changed(form.user)
        return answer

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        """Return the form's context with what the account has and the room offers."""
        shown: dict[str, object] = {
            "mail_is_on": outgoing.is_on(),
            "providers": settings.OPENID_PROVIDERS,
            "has_password": self._has_password(),
            "needs_address": required_address.is_missing(cast(User, self.request.user)),
        }
        return super().get_context_data(**kwargs) | shown

    def _has_password(self) -> bool:
        assert self.request.user.is_authenticated
        return self.request.user.has_usable_password()


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Create a player and redirect to the requested page."""
    if request.user.is_authenticated:
        return redirect(onward_of(request, "lobby"))
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = form.save(source_of_request(request))
        if user is not None:
            log_newcomer_in(request, user)
            add_first_address(request, user, form.cleaned_data.get("address", ""))
            return redirect(onward_of(request, "lobby"))
    context = {
        "form": form,
        "next": onward_of(request, "lobby"),
        "providers": settings.OPENID_PROVIDERS,
    }
    return render(request, "accounts/signup.html", context)


def log_newcomer_in(request: HttpRequest, user: User) -> None:
    """Log a new player in; say so where the account has no play money to start with."""
    request.is_newcomer = True  # type: ignore[attr-defined]
    login(request, user, backend=BACKEND)
    if not was_welcomed(user):
        messages.warning(request, _NO_MONEY)


def add_first_address(request: HttpRequest, user: User, address: str) -> None:
    """Mail the link of a newcomer's address; the account stays where that is refused.

    Sign-ups of one network are limited already, so the mail is not counted for it again: thirty
    newcomers of a club night sit behind one router.
    """
    if not address:
        return
    try:
        row = addresses.add(user, address, "")
    except Refusal as refusal:
        messages.warning(request, words_of(refusal))
    else:
        messages.success(request, on_its_way(row))


@login_required
@never_cache
@require_GET
def wallet(request: HttpRequest) -> HttpResponse:
    """Show the balance and every movement, newest first."""
    number = whole(request.GET.get("page", "")) or 1
    assert request.user.is_authenticated
    context = {
        "statement": statement(request.user, number),
        "bonus": held_by(request.user, AccountKind.BONUS),
    }
    return render(request, "accounts/wallet.html", context)


@login_required
@never_cache
@require_GET
def balance(request: HttpRequest) -> HttpResponse:
    """Return the balance for the header, requested again after money moved."""
    return render(request, "accounts/_balance.html")


@login_required
@require_POST
def password_link_told(request: HttpRequest) -> HttpResponse:
    """Record the player's confirmation of the issued links for a new password."""
    assert request.user.is_authenticated
    told(request.user, whole(request.POST.get("upto", "")) or 0)
    return redirect("lobby")
