"""Unions of messages and of the events of each kind of streams. Written by `manage.py protocol_docs`."""

from __future__ import annotations

from room_client.messages.buying import (
    AddOnOpened,
    ChipsSold,
    EntriesClosed,
    EntriesMerged,
    OfferEnded,
    OfferMade,
    PoolFixed,
    RebuysClosed,
)
from room_client.messages.cards_up import (
    HandChances,
    HandRetold,
)
from room_client.messages.chat import (
    ChatMessageDeleted,
    ChatMessageSent,
)
from room_client.messages.commands import (
    Act,
    AskRank,
    ChooseShowdown,
    ComeBack,
    CutDeck,
    DeleteChat,
    Ping,
    ReportChat,
    SendEmote,
    ShowCards,
    SilenceChat,
    SitOut,
    Subscribe,
    TimeBank,
    Unsubscribe,
    WriteChat,
)
from room_client.messages.conduct import (
    PlayerWarned,
)
from room_client.messages.field import (
    FieldFacts,
)
from room_client.messages.formats import (
    DealAgreed,
    DealOpened,
    DealProposed,
    DealRefused,
    DealVote,
    DealVoted,
    DealsOpen,
    Finished,
    PlayTimeUp,
    RoundBegan,
    SpinDrawn,
    TournamentOver,
)
from room_client.messages.frames import (
    Bye,
    Disconnected,
    Events,
    Pong,
    Refused,
    Result,
    Snapshot,
    StackRank,
    TakenOver,
    Welcome,
)
from room_client.messages.hands import (
    BetMade,
    BetsCollected,
    Called,
    CardsShown,
    Checked,
    Folded,
    HandBegan,
    HandEnded,
    HandsRevealed,
    HoleCardsDealt,
    Mucked,
    Posted,
    PotAwarded,
    Raised,
    RakeTaken,
    StreetDealt,
    UncalledReturned,
)
from room_client.messages.prizes import (
    BountyNotice,
    BountyWon,
    HeadChanged,
    TicketClosed,
    TicketIssued,
)
from room_client.messages.ring import (
    JackpotFell,
    RapidDealtIn,
    RingSeatFreed,
    RingSeatHeld,
    RingTopUpMissed,
    RingWaitEnded,
)
from room_client.messages.rulings import (
    Disqualified,
    NamedPrize,
    RoomMessage,
    RoomSays,
    TournamentPaused,
    TournamentResumed,
)
from room_client.messages.tables import (
    ButtonDrawn,
    CameBack,
    ChipsBought,
    CutCalled,
    DealtIn,
    DealtOut,
    DeckCut,
    DeckOpened,
    DisconnectTimeStarted,
    HandVoided,
    RunOutBegan,
    SatOut,
    SeatLeft,
    SeatTaken,
    TableClosed,
    TableLevelBegan,
    TableWaiting,
    TimeBankCharged,
    TimeBankStarted,
    TimedOut,
    TurnBegan,
)
from room_client.messages.tournaments import (
    BreakBegan,
    Cancelled,
    FinalTable,
    HandForHandBegan,
    HandForHandEnded,
    HandsLeft,
    Invited,
    KnockedOut,
    LevelBegan,
    LevelProlonged,
    Moved,
    Opened,
    Paused,
    PlayerOut,
    PlayerPlaced,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeWon,
    Registered,
    Resumed,
    SeatChanged,
    Seated,
    Started,
    TableOpened,
    TournamentCancelled,
    TournamentChanged,
    TournamentTableClosed,
    Unregistered,
)

ClientMessage = (
    Subscribe
    | Unsubscribe
    | Act
    | SitOut
    | ComeBack
    | TimeBank
    | ShowCards
    | ChooseShowdown
    | CutDeck
    | WriteChat
    | SendEmote
    | ReportChat
    | DeleteChat
    | SilenceChat
    | AskRank
    | Ping
)

ServerMessage = (
    Welcome
    | Snapshot
    | Events
    | Result
    | Refused
    | Pong
    | StackRank
    | TakenOver
    | Disconnected
    | Bye
)

TableEvent = (
    HandBegan
    | Posted
    | HoleCardsDealt
    | Folded
    | Checked
    | Called
    | BetMade
    | Raised
    | UncalledReturned
    | BetsCollected
    | RakeTaken
    | HandsRevealed
    | StreetDealt
    | CardsShown
    | Mucked
    | PotAwarded
    | HandEnded
    | TurnBegan
    | TimeBankStarted
    | TimeBankCharged
    | DisconnectTimeStarted
    | TimedOut
    | RunOutBegan
    | SeatTaken
    | SeatLeft
    | ChipsBought
    | SatOut
    | CameBack
    | DealtOut
    | DealtIn
    | ButtonDrawn
    | TableLevelBegan
    | CutCalled
    | DeckCut
    | TableWaiting
    | HandVoided
    | DeckOpened
    | TableClosed
)

TournamentEvent = (
    PlayerRegistered
    | PlayerUnregistered
    | Opened
    | Started
    | LevelBegan
    | HandsLeft
    | LevelProlonged
    | BreakBegan
    | EntriesClosed
    | RebuysClosed
    | AddOnOpened
    | ChipsSold
    | EntriesMerged
    | PoolFixed
    | Paused
    | Resumed
    | RoomMessage
    | PlayerOut
    | PlayerPlaced
    | BountyWon
    | HeadChanged
    | TableOpened
    | TournamentTableClosed
    | Moved
    | HandForHandBegan
    | HandForHandEnded
    | FinalTable
    | SpinDrawn
    | PlayTimeUp
    | DealProposed
    | DealOpened
    | DealVoted
    | DealRefused
    | DealAgreed
    | RoundBegan
    | Finished
    | Cancelled
)

LobbyEvent = (
    TournamentChanged
)

ClubEvent = (
    TournamentChanged
)

TournamentchatEvent = (
    ChatMessageSent
    | ChatMessageDeleted
)

ClubchatEvent = (
    ChatMessageSent
    | ChatMessageDeleted
)

UserEvent = (
    Invited
    | Registered
    | Unregistered
    | Seated
    | SeatChanged
    | KnockedOut
    | PrizeWon
    | OfferMade
    | OfferEnded
    | TournamentOver
    | DealsOpen
    | DealVote
    | BountyNotice
    | TicketIssued
    | TicketClosed
    | Disqualified
    | NamedPrize
    | RoomSays
    | TournamentPaused
    | TournamentResumed
    | TournamentCancelled
    | PlayerWarned
    | RapidDealtIn
    | RingSeatHeld
    | RingWaitEnded
    | RingTopUpMissed
    | RingSeatFreed
    | JackpotFell
)

FeaturedEvent = (
    HandRetold
    | HandChances
    | HandBegan
    | Posted
    | HoleCardsDealt
    | Folded
    | Checked
    | Called
    | BetMade
    | Raised
    | UncalledReturned
    | BetsCollected
    | RakeTaken
    | HandsRevealed
    | StreetDealt
    | CardsShown
    | Mucked
    | PotAwarded
    | HandEnded
)

FieldEvent = (
    FieldFacts
)

TablechatEvent = (
    ChatMessageSent
    | ChatMessageDeleted
)

RailchatEvent = (
    ChatMessageSent
    | ChatMessageDeleted
)

CardsupEvent = (
    HandRetold
    | HandChances
    | HandBegan
    | Posted
    | HoleCardsDealt
    | Folded
    | Checked
    | Called
    | BetMade
    | Raised
    | UncalledReturned
    | BetsCollected
    | RakeTaken
    | HandsRevealed
    | StreetDealt
    | CardsShown
    | Mucked
    | PotAwarded
    | HandEnded
)

FIRST_STREETS = {
    "holdem": "preflop",
    "omaha": "preflop",
    "omaha5": "preflop",
    "omaha5_house": "preflop",
    "omaha_hilo": "preflop",
    "omaha5_hilo": "preflop",
    "stud": "third",
    "stud_hilo": "third",
}
"""Game -> its first street."""
