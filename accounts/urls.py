"""Addresses of the pages of accounts and clubs."""

from __future__ import annotations

from django.urls import path

from accounts.pages import (
    confirm,
    deletion,
    email,
    export,
    limits,
    second_factor,
    sessions,
    tokens,
    views,
)
from accounts.pages.clubs import bank, joining, managing, people, profile

urlpatterns = [
    path("accounts/signup/", views.sign_up, name="signup"),
    path("accounts/login/", views.LogIn.as_view(), name="login"),
    path("accounts/password/<uidb64>/<token>/", views.NewPassword.as_view(), name="new_password"),
    path("accounts/password/told/", views.password_link_told, name="password_link_told"),
    path("accounts/forgotten/", email.forgotten, name="forgotten"),
    path("accounts/email/", email.enter, name="email_enter"),
    path("accounts/email/remove/", email.remove, name="email_remove"),
    path("accounts/email/<str:key>/", email.confirm, name="email_confirm"),
    path("accounts/logout/", views.LogOut.as_view(), name="logout"),
    path("account/", views.AccountPage.as_view(), name="account"),
    path("account/confirm/", confirm.confirm, name="confirm"),
    path("account/limits/", limits.own, name="own_limits"),
    path("account/limits/exclude/", limits.exclude, name="own_exclude"),
    path("accounts/login/code/", second_factor.login_code, name="login_code"),
    path("account/code/", second_factor.setup, name="second_factor"),
    path("account/delete/", deletion.delete, name="account_delete"),
    path("account/export/", export.export, name="account_export"),
    path("account/sessions/", sessions.sessions, name="sessions"),
    path("account/sessions/end/", sessions.end_others, name="sessions_end"),
    path("account/sessions/known/", sessions.confirm, name="devices_confirm"),
    path("account/sessions/<int:pk>/end/", sessions.end, name="session_end"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/<int:pk>/revoke/", tokens.revoke, name="token_revoke"),
    path("wallet/", views.wallet, name="wallet"),
    path("wallet/balance/", views.balance, name="balance"),
    path("clubs/", profile.index, name="clubs"),
    path("clubs/new/", profile.new, name="club_new"),
    path("clubs/join/<str:token>/", joining.join, name="club_join"),
    path("clubs/<slug:slug>/profile/", profile.edit, name="club_edit"),
    path("clubs/<slug:slug>/request/", joining.ask, name="club_ask"),
    path("clubs/<slug:slug>/leave/", joining.leave, name="club_leave"),
    path("clubs/<slug:slug>/members/", people.members_of, name="club_members"),
    path("clubs/<slug:slug>/members/<int:pk>/", people.person, name="club_person"),
    path("clubs/<slug:slug>/bank/", bank.page, name="club_bank"),
    path("clubs/<slug:slug>/bank/fund/", bank.fund, name="club_fund"),
    path("clubs/<slug:slug>/manage/", managing.manage, name="club_manage"),
    path("clubs/<slug:slug>/invitations/", managing.invite, name="club_invite"),
    path("clubs/<slug:slug>/invitations/<int:pk>/revoke/", managing.revoke, name="club_revoke"),
    path("clubs/<slug:slug>/requests/<int:pk>/", managing.answer, name="club_answer"),
    path("clubs/<slug:slug>/announcements/", managing.announce, name="club_announce"),
    path(
        "clubs/<slug:slug>/announcements/<int:pk>/withdraw/",
        managing.withdraw,
        name="club_withdraw",
    ),
]
