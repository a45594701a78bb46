"""Addresses of the pages of an account."""

from __future__ import annotations

from django.urls import path

from accounts.pages import views

urlpatterns = [
    path("accounts/signup/", views.sign_up, name="signup"),
    path("accounts/login/", views.LogIn.as_view(), name="login"),
    path("accounts/password/<uidb64>/<token>/", views.NewPassword.as_view(), name="new_password"),
    path("accounts/password/told/", views.password_link_told, name="password_link_told"),
    path("accounts/logout/", views.LogOut.as_view(), name="logout"),
    path("account/", views.AccountPage.as_view(), name="account"),
    path("wallet/", views.wallet, name="wallet"),
    path("wallet/balance/", views.balance, name="balance"),
]
