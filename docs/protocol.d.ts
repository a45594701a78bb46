// Types of the messages, events and snapshots in protocol.md; written by `manage.py protocol_docs`.

declare namespace Wire {
  type ClientMessage =
    | Subscribe
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
    | Ping;

  type ServerMessage =
    | Welcome
    | Snapshot
    | Events
    | Result
    | Refused
    | Pong
    | StackRank
    | TakenOver
    | Disconnected
    | Bye;

  type TableEvent =
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
    | TableClosed;

  type TournamentEvent =
    | PlayerRegistered
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
    | Cancelled;

  type LobbyEvent =
    | TournamentChanged;

  type ClubEvent =
    | TournamentChanged;

  type TournamentchatEvent =
    | ChatMessageSent
    | ChatMessageDeleted;

  type ClubchatEvent =
    | ChatMessageSent
    | ChatMessageDeleted;

  type UserEvent =
    | Invited
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
    | JackpotFell;

  type FeaturedEvent =
    | HandRetold
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
    | HandEnded;

  type FieldEvent =
    | FieldFacts;

  type TablechatEvent =
    | ChatMessageSent
    | ChatMessageDeleted;

  type RailchatEvent =
    | ChatMessageSent
    | ChatMessageDeleted;

  type CardsupEvent =
    | HandRetold
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
    | HandEnded;

  /** Answer the turn (table, epoch, hand, turn); `amount`: a bet, or a raise's total, in chips. */
  interface Act {
    type: "act";
    id: string;
    table: number;
    epoch: number;
    hand: number;
    turn: number;
    action: "bet" | "call" | "check" | "fold" | "raise";
    amount?: number | null;
  }

  /** Start of the add-on sale to all entries in play, until `until_ms` (E-05). */
  interface AddOnOpened {
    type: "add_on_opened";
    until_ms: number;
  }

  /** Ask for the rank of a stack of so many chips in the field of a followed tournament. It comes as `rank`; a question replaces one that still waits. */
  interface AskRank {
    type: "ask_rank";
    stream: string;
    chips: number;
  }

  /** A seat opened the betting of the street with `amount` chips. */
  interface BetMade {
    type: "bet";
    seat: number;
    amount: number;
    all_in: boolean;
  }

  /** The bets of a finished street went into the pots, main pot first (P-01). */
  interface BetsCollected {
    type: "bets_collected";
    pots: Array<Pot>;
  }

  /** Your win of `amount` cents for knocking out `player`; `on_head` more go to your own head. Without a player it is the sum of your bounties, or your own head, paid at the end (N-06, N-07); with `later` the amount is paid at the end. */
  interface BountyNotice {
    type: "bounty";
    tournament: number;
    name: string;
    player: string;
    amount: number;
    on_head: number;
    later: boolean;
  }

  /** Share of a bounty in cents: `cash`, and `added` to the winner's own `head` (N-04). */
  interface BountyShare {
    entry: number;
    name: string;
    cash: number;
    added: number;
    head: number;
  }

  /** Distribution of a knocked-out entry's bounty among its winners; heads in cents (N-01). */
  interface BountyWon {
    type: "bounty_won";
    entry: number;
    name: string;
    to: Array<BountyShare>;
  }

  /** Start of a break until `until_ms`; tables stop after their hand (L-05). */
  interface BreakBegan {
    type: "break_began";
    until_ms: number;
    next_stakes: Stakes | null;
  }

  /** Each seat drew a card and the highest got the button; no cards if drawn by lot (C-04). */
  interface ButtonDrawn {
    type: "button_drawn";
    cards: Array<[number, string]>;
    button: number;
  }

  /** Last message before the server closes the socket; `code` and `message` give the reason. */
  interface Bye {
    type: "bye";
    code: string;
    message: string;
  }

  /** A seat put in `amount` more chips to match the bet, or its whole stack. */
  interface Called {
    type: "called";
    seat: number;
    amount: number;
    all_in: boolean;
  }

  /** A seat that sat out plays again. */
  interface CameBack {
    type: "came_back";
    seat: number;
  }

  /** Cancellation of the tournament before or during play. Entries are refunded, or those left share what is unpaid (T-12). `reason` is the operator's text, or `too few players` or `not opened` when the room cancels by itself. */
  interface Cancelled {
    type: "cancelled";
    reason: string;
  }

  /** A seat showed cards, "??" for a hidden one; `made` names the hand, "" for a part of it. */
  interface CardsShown {
    type: "cards_shown";
    seat: number;
    cards: Array<string>;
    made: string;
    low: string;
  }

  /** State of a cards-up stream at the start of the hand told last, None before the first one. Every event since then follows. `delay_ms` is the delay of the game at present. */
  interface CardsUpSnapshot {
    game: number;
    delay_ms: number;
    retold: HandRetold | null;
  }

  /** A moderator deleted a message: clients take it from the screen. */
  interface ChatMessageDeleted {
    type: "chat_deleted";
    message: number;
  }

  /** A player wrote `text`, plain text without markup, at `sent_ms` on the room's clock. Of an emote, `emote` is the key and `text` the symbol. */
  interface ChatMessageSent {
    type: "chat_message";
    message: number;
    user: number;
    name: string;
    text: string;
    sent_ms: number;
    emote: string;
  }

  /** The newest messages of a chat, oldest first, without deleted ones. */
  interface ChatSnapshot {
    messages: Array<ChatMessageSent>;
  }

  /** A seat passed the action on. */
  interface Checked {
    type: "checked";
    seat: number;
  }

  /** A seat bought `chips` between two hands and has `total` chips now (E-04, E-05). */
  interface ChipsBought {
    type: "chips_bought";
    seat: number;
    chips: number;
    total: number;
  }

  /** Purchase of chips by an entry; `kind` is rebuy or add_on (E-04, E-05). */
  interface ChipsSold {
    type: "chips_sold";
    entry: number;
    user: number;
    name: string;
    kind: string;
    chips: number;
  }

  /** Choose the treatment of the own beaten hands, from the next deal on (S-01, S-02). With `auto` a beaten hand is shown only while no hand shown before beats it, with `muck` never, with `show` always; a winning hand is always shown. The choice moves along to other tables; a new entry begins with `auto`. */
  interface ChooseShowdown {
    type: "showdown";
    id: string;
    table: number;
    choice: "auto" | "muck" | "show";
  }

  /** Return to the own seat after sitting out. */
  interface ComeBack {
    type: "come_back";
    id: string;
    table: number;
  }

  /** The deck of the coming hand is sealed, and the `seats` with a pledge may cut it now. `seal` is the hash of all envelopes, `call` fixes the seats of the hand and their pledges for it, `signature` is the room's under the call, all in hexadecimal digits. Cards are dealt at `deal_ms`, and at most until `until_ms` later while a seed is awaited. */
  interface CutCalled {
    type: "cut_called";
    hand: number;
    seal: string;
    call: string;
    signature: string;
    seats: Array<number>;
    deal_ms: number;
    until_ms: number;
  }

  /** Open the seed of the pledge that was called for this hand, and pledge for the next call. It has no answer: `deck_cut` tells which seeds counted. Without a `pledge` the seat has none for the next call, once its last one was called. A pledge counts when `hand` is that of the table, or the one before while the seat was not called since; state 0 in `deck_cut` asks for another. */
  interface CutDeck {
    type: "cut";
    table: number;
    epoch: number;
    hand: number;
    seed?: string | null;
    pledge?: string | null;
  }

  /** Agreement of all voters: the tournament ends and all shares are paid (Y-01). */
  interface DealAgreed {
    type: "deal_agreed";
    deal: number;
    kind: string;
  }

  /** Start of the vote on these shares at the standing table, until `until_ms` (Y-01..Y-03). */
  interface DealOpened {
    type: "deal_opened";
    deal: number;
    kind: string;
    shares: Array<DealShare>;
    until_ms: number;
  }

  /** Proposal of a deal `equal`, by `chips` or `icm`; the vote opens after this hand. */
  interface DealProposed {
    type: "deal_proposed";
    deal: number;
    kind: string;
    entry: number;
    user: number;
    name: string;
  }

  /** End of a deal without agreement; the table plays on. `reason` is `no` (voted by `name`), `time` for an expired vote, or `changed` for another field. */
  interface DealRefused {
    type: "deal_refused";
    deal: number;
    reason: string;
    name: string;
  }

  /** An entry's chips now and its share in cents by a deal (Y-02). */
  interface DealShare {
    entry: number;
    user: number;
    name: string;
    chips: number;
    share: number;
  }

  /** Request for your vote until `until_ms`; your share is `share` cents (Y-01). */
  interface DealVote {
    type: "deal_vote";
    tournament: number;
    name: string;
    deal: number;
    kind: string;
    share: number;
    until_ms: number;
  }

  /** One vote; `votes` of `needed` are in. */
  interface DealVoted {
    type: "deal_voted";
    deal: number;
    entry: number;
    user: number;
    name: string;
    yes: boolean;
    votes: number;
    needed: number;
  }

  /** All entries left sit at one table: you may propose a deal from now on (Y-01). */
  interface DealsOpen {
    type: "deals_open";
    tournament: number;
    name: string;
    left: number;
  }

  /** A seat that hands were dealt without is dealt in again. */
  interface DealtIn {
    type: "dealt_in";
    seat: number;
  }

  /** Hands are dealt without this seat until `dealt_in`: its player waits or is away. */
  interface DealtOut {
    type: "dealt_out";
    seat: number;
  }

  /** The sealed deck was cut, just before its cards are dealt: seat, state and text of each seat. State 2 opened its seed in time, and the text is that seed; state 1 did not, and the text is its pledge; state 0 had no pledge. */
  interface DeckCut {
    type: "deck_cut";
    hand: number;
    cuts: Array<[number, number, string]>;
  }

  /** A sealed deck of which no card was dealt is opened: its `secret` makes all 52 cards. `fate` is 3 for the deck of a called hand that was void before its cards, 4 for a deck that was not called. Both values are in hexadecimal digits. `epoch` is that in the name of its hand: a table that closes is in a later one. */
  interface DeckOpened {
    type: "deck_opened";
    epoch: number;
    hand: number;
    seal: string;
    secret: string;
    fate: number;
  }

  /** Delete a message of a followed chat, as its moderator or as a manager of its club. */
  interface DeleteChat {
    type: "chat_delete";
    id: string;
    stream: string;
    message: number;
  }

  /** The player to act has no connection and gets time until `deadline_ms`, once a turn. */
  interface DisconnectTimeStarted {
    type: "disconnect_time_started";
    seat: number;
    turn: number;
    deadline_ms: number;
  }

  /** All entries seated at a table without an open connection; every message lists them all. */
  interface Disconnected {
    type: "disconnected";
    stream: string;
    entries: Array<number>;
  }

  /** Your disqualification from the tournament (T-15). */
  interface Disqualified {
    type: "disqualified";
    tournament: number;
    name: string;
    reason: string;
  }

  /** End of late registration (E-01); `entrants` counts entries and re-entries. */
  interface EntriesClosed {
    type: "entries_closed";
    entrants: number;
  }

  /** Merge of an entry into another of its player; it takes the lowest live place (E-08). */
  interface EntriesMerged {
    type: "entries_merged";
    entry: number;
    into: number;
    user: number;
    name: string;
    chips: number;
    left: number;
  }

  /** Share of the main pot that the hand of a seat may expect, in basis points. */
  interface Equity {
    seat: number;
    share_bp: number;
  }

  /** Next events of a stream in order, each with its `id`; an empty list: none was missed. */
  interface Events {
    type: "events";
    stream: string;
    events: Array<any>;
  }

  /** Facts of a tournament at one moment, told at `due_ms` of the room's clock; money in cents. Times that were to come count from that moment: at `due_ms` the level ends in `level_ends_in_ms`, None while the clock stands or has no end. */
  interface FieldFacts {
    type: "field_facts";
    due_ms: number;
    name: string;
    level: number | null;
    stakes: Stakes | null;
    level_ends_in_ms: number | null;
    break_in_ms: number | null;
    break_ends_in_ms: number | null;
    left: number;
    entrants: number;
    average: number;
    pool: number;
    payouts: Array<FieldPayout>;
    leaders: Array<Leader>;
    out: Array<Out>;
  }

  /** Places `first` to `last` win `prize` cents each. */
  interface FieldPayout {
    first: number;
    last: number;
    prize: number;
  }

  /** Facts told last, None before the first ones. */
  interface FieldSnapshot {
    facts: FieldFacts | null;
  }

  /** Draw of all entries left to one table (T-08). */
  interface FinalTable {
    type: "final_table";
    table: number;
    left: number;
  }

  /** End of the tournament with all prizes paid: the entry in first place and its prize. `left` entries were in play at the end: 1, unless format, play time or a deal ended it. */
  interface Finished {
    type: "finished";
    entry: number;
    user: number;
    name: string;
    prize: number;
    left: number;
  }

  /** A seat gave up its hand. */
  interface Folded {
    type: "folded";
    seat: number;
  }

  /** A hand starts: positions, stakes, stacks before any post; the deck is never sent. */
  interface HandBegan {
    type: "hand_began";
    hand: number;
    variant: string;
    limit: string;
    stakes: Stakes;
    button: number;
    small_blind: number | null;
    big_blind: number | null;
    stacks: Array<Stack>;
    options: Options;
    open_losers: Array<number>;
    closed_losers: Array<number>;
    deck: Array<string>;
  }

  /** Chances of the live hands, and the price of the `seat` that acts next (None: nobody). `pot` are all chips in the middle. `need_bp` is the share of what this seat can win that pays for the call, in basis points, 0 without a price. `equities` is empty while a live hand is hidden from the viewers. */
  interface HandChances {
    type: "hand_chances";
    equities: Array<Equity>;
    seat: number | null;
    pot: number;
    call: number;
    need_bp: number;
  }

  /** The hand is over; stacks of every seat that was dealt in. */
  interface HandEnded {
    type: "hand_ended";
    hand: number;
    stacks: Array<Stack>;
  }

  /** Start of hand-for-hand: tables start each hand together, the clock runs per hand (T-09). */
  interface HandForHandBegan {
    type: "hand_for_hand_began";
    left: number;
    places_paid: number;
  }

  /** End of hand-for-hand. */
  interface HandForHandEnded {
    type: "hand_for_hand_ended";
  }

  /** A hand begins to be told again: the table before it, and its real start in ms. Everything is told `delay_ms` or more after it happened. On the stream of a featured table `reason` says why this table is shown, and `switched` that the hand before was of another one. */
  interface HandRetold {
    type: "hand_retold";
    hand: number;
    began_ms: number;
    delay_ms: number;
    start: TableSnapshot;
    reason: "biggest_stack" | "chosen" | "final_table" | null;
    switched: boolean;
  }

  /** A fault ended the hand without a result: every seat has the chips it had before the hand. */
  interface HandVoided {
    type: "hand_voided";
    hand: number;
  }

  /** Hands left of a level by hands, counted at the table that has played most (L-01). */
  interface HandsLeft {
    type: "hands_left";
    hands: number;
  }

  /** No more betting is possible: all live hands are turned face up (S-04). */
  interface HandsRevealed {
    type: "hands_revealed";
    hands: Array<[number, Array<string>]>;
  }

  /** New bounty of `head` cents on an entry, other than the one bought (N-02, N-03, N-05). */
  interface HeadChanged {
    type: "head_changed";
    entry: number;
    head: number;
  }

  /** A seat received hole cards: the last `up` of them face up, the others private (D-01). */
  interface HoleCardsDealt {
    type: "hole_cards_dealt";
    seat: number;
    cards: Array<string>;
    up: number;
  }

  /** Invitation to a tournament of a club, by one of its managers. */
  interface Invited {
    type: "invited";
    tournament: number;
    name: string;
    club: string;
  }

  /** A jackpot of your game has fallen: the `pool` in cents, and your part of it or 0 (J-01). */
  interface JackpotFell {
    type: "jackpot_fell";
    jackpot: string;
    name: string;
    table: number;
    pool: number;
    amount: number;
  }

  /** End of your play; the place is null until it is final. */
  interface KnockedOut {
    type: "knocked_out";
    tournament: number;
    name: string;
    place: number | null;
    prize: number;
  }

  /** A seat among the chip leaders. */
  interface Leader {
    name: string;
    chips: number;
    table: number;
    table_number: number;
  }

  /** Start of level `level` (from 1), which each table plays from its next hand on (L-04). A level lasts until `ends_at_ms` or `ends_in_hands`, the other is null; both are in the last level. */
  interface LevelBegan {
    type: "level_began";
    level: number;
    stakes: Stakes;
    ends_at_ms: number | null;
    ends_in_hands: number | null;
    break_at_ms: number | null;
    next_stakes: Stakes | null;
  }

  /** More time for the level or break in play: it lasts until `ends_at_ms` (L-05). */
  interface LevelProlonged {
    type: "level_prolonged";
    ends_at_ms: number;
  }

  /** All rows of the lobby, or of a club's lobby, and whether this is a `research` room. */
  interface LobbySnapshot {
    tournaments: Array<Summary>;
    research: boolean;
  }

  /** Move of an entry to another table between hands (T-08). */
  interface Moved {
    type: "moved";
    entry: number;
    user: number;
    name: string;
    from_table: number;
    to_table: number;
    to_seat: number;
  }

  /** A seat gave up its claim at the showdown without showing (S-01). */
  interface Mucked {
    type: "mucked";
    seat: number;
  }

  /** A player's seat, or the next seat during a move; `why` is then the move's reason (T-08). `tournament` is 0 at a table of another game, which `name` names all the same. */
  interface MySeat {
    tournament: number;
    name: string;
    table: number;
    number: number;
    seat: number;
    why: string;
  }

  /** The start of a tournament the player is registered for; `starts_at_ms` since the epoch. */
  interface MyStart {
    tournament: number;
    name: string;
    starts_at_ms: number;
  }

  /** Your place's named prize, which is not money (Z-03). */
  interface NamedPrize {
    type: "named_prize";
    tournament: number;
    name: string;
    place: number;
    prize: string;
  }

  /** End of your offer or request; `state` is done, declined or expired. `why` is the refusal code if it could not be carried out, else empty. */
  interface OfferEnded {
    type: "offer_ended";
    tournament: number;
    name: string;
    offer: number;
    kind: string;
    state: string;
    why: string;
  }

  /** Offer to you until `until_ms`; `kind` is rebuy, reentry or add_on, price and fee in cents. */
  interface OfferMade {
    type: "offer_made";
    tournament: number;
    name: string;
    offer: number;
    kind: string;
    price: number;
    fee: number;
    chips: number;
    until_ms: number;
  }

  /** Start of registration. */
  interface Opened {
    type: "opened";
  }

  /** Actions open to the seat to act: chips to call, and the range of a bet or of a raise TO. A seat may fold, except the seat that must bring in; its call pays the bring-in (D-02). */
  interface Option {
    check: boolean;
    call: number | null;
    bet_min: number | null;
    bet_max: number | null;
    raise_min: number | null;
    raise_max: number | null;
    fold: boolean;
  }

  /** Settings of a game that do not change with its level. */
  interface Options {
    face_up?: boolean;
    muck_secret?: boolean;
    cap_lift?: "event" | "last_street";
    event_heads_up?: boolean;
    open_pair?: boolean;
    s0_order?: boolean;
    rake?: Rake | null;
  }

  /** An entry that is out: its place once final, its prize in cents. */
  interface Out {
    name: string;
    place: number | null;
    prize: number;
  }

  /** A tournament at a glance; chips, cents, ms since the epoch; missing values are empty. A level ends at a time or after a number of hands of the table with the most hands (L-01). `stands_why` is the `reason` of the pause, or of the cancellation. `paying` is true while prizes of an ended tournament, refunds or shares are being paid, some at a time. */
  interface Overview {
    summary: Summary;
    now_ms: number;
    level: number | null;
    stakes: Stakes | null;
    next_stakes: Stakes | null;
    level_ends_at_ms: number | null;
    level_ends_in_hands: number | null;
    break_at_ms: number | null;
    break_until_ms: number | null;
    play_ends_at_ms: number | null;
    spin: SpinOdds | null;
    round: number;
    rounds: number;
    clock_runs: boolean;
    stands_why: string;
    chips: number;
    average: number;
    largest: number;
    smallest: number;
    places_paid: number;
    next_prize: number;
    hand_for_hand: boolean;
    final_table: boolean;
    tables_open: number;
    me: PlayerRow | null;
    paying: boolean;
  }

  /** Stop of the clock, and of each table after its hand (L-05). `reason` is the operator's text, or `frozen` for a fault of the room (T-13). */
  interface Paused {
    type: "paused";
    reason: string;
  }

  /** Ask for the server's clock; `sent_ms` is returned unchanged in `pong`. */
  interface Ping {
    type: "ping";
    sent_ms: number;
  }

  /** End of the play time: tables stop after their hand, the `left` entries are placed by chips. `paid` is `table` for the payout table, or `proportional` for shares by chips (T-11). */
  interface PlayTimeUp {
    type: "time_up";
    left: number;
    paid: string;
  }

  /** End of an entry's play. `place` is null while others may still share its round of hand-for-hand, and while entries or re-buys are sold (E-07). */
  interface PlayerOut {
    type: "player_out";
    entry: number;
    user: number;
    name: string;
    left: number;
    place: number | null;
    prize: number;
  }

  /** Final place of an entry that went out without one, with its prize in cents (T-07, Z-04). It follows each round of hand-for-hand; after the end of sales it names the places that win something. The results have all places, also of those left in play at the end. */
  interface PlayerPlaced {
    type: "player_placed";
    entry: number;
    user: number;
    name: string;
    place: number;
    prize: number;
  }

  /** Registration of an entry; `entrants` counts all entries now. */
  interface PlayerRegistered {
    type: "player_registered";
    entry: number;
    user: number;
    name: string;
    entrants: number;
  }

  /** An entry: with chips and table while it plays, with place and winnings once it is out. */
  interface PlayerRow {
    entry: number;
    user: number;
    name: string;
    state: string;
    chips: number;
    rank: number | null;
    table: number | null;
    table_number: number | null;
    seat: number | null;
    place: number | null;
    prize: number;
    bounties: number;
  }

  /** Withdrawal of an entry before the start (T-06). */
  interface PlayerUnregistered {
    type: "player_unregistered";
    entry: number;
    user: number;
    name: string;
    entrants: number;
  }

  /** Staff have warned you for your conduct; your page of warnings says why. */
  interface PlayerWarned {
    type: "warned";
    warning: number;
  }

  /** The server's clock `now_ms`, with `sent_ms` of the ping that it answers. */
  interface Pong {
    type: "pong";
    sent_ms: number;
    now_ms: number;
  }

  /** Final pool and prizes by place, in cents, after all sales have closed (E-07). */
  interface PoolFixed {
    type: "pool_fixed";
    entrants: number;
    pool: number;
    prizes: Array<number>;
  }

  /** A seat paid a forced bet (H-02, H-06, H-08); `dead` chips are no part of its bet. */
  interface Posted {
    type: "posted";
    seat: number;
    kind: "ante" | "big_blind" | "bring_in" | "dead" | "penalty" | "small_blind" | "straddle";
    amount: number;
    all_in: boolean;
  }

  /** A main or side pot: its chips and the seats that can win it (P-01). */
  interface Pot {
    amount: number;
    seats: Array<number>;
  }

  /** Pot number `pot` (0: the main pot) went to its winners; last side pot first (P-02). */
  interface PotAwarded {
    type: "pot_awarded";
    pot: number;
    amount: number;
    winners: Array<Share>;
    half: "all" | "high" | "low";
    rake: number;
  }

  /** Payment of your `prize` in cents for `place`, of which `ticket` as a ticket (K-07). */
  interface PrizeWon {
    type: "prize";
    tournament: number;
    name: string;
    place: number;
    prize: number;
    ticket: number;
  }

  /** A seat raised to `to` chips in total on this street, putting in `amount` more. */
  interface Raised {
    type: "raised";
    seat: number;
    to: number;
    amount: number;
    all_in: boolean;
  }

  /** Rake of a hand's pots: a share in basis points, with limits in chips. A rake below `minimum` is not taken. With `no_flop_no_drop` a hand that ended on its first street pays none. With `per_street` the rake due so far is taken at the end of each street, else all of it after the hand. */
  interface Rake {
    basis_points: number;
    minimum: number;
    maximum: number;
    no_flop_no_drop: boolean;
    per_street: boolean;
  }

  /** The room took `amount` chips of rake from the pots after a street, by setting. */
  interface RakeTaken {
    type: "rake_taken";
    amount: number;
  }

  /** You are in a hand of your rapid pool, at this table and seat. */
  interface RapidDealtIn {
    type: "rapid_dealt_in";
    game: number;
    name: string;
    table: number;
    number: number;
    seat: number;
  }

  /** End of the re-buy period (E-04). */
  interface RebuysClosed {
    type: "rebuys_closed";
  }

  /** Refusal of a message, which changed nothing: the reason, and the values that are allowed. `id` names the command, `stream` the subscription that was refused or ended. */
  interface Refused {
    type: "refused";
    code: string;
    message: string;
    id?: string | null;
    stream?: string | null;
    allowed?: Record<string, any> | null;
  }

  /** Your registration; `paid` in cents, of which `ticket` by a ticket (K-01). `starts_at_ms` since the epoch is that of a coming start. */
  interface Registered {
    type: "registered";
    tournament: number;
    name: string;
    entry: number;
    paid: number;
    starts_at_ms: number | null;
    ticket: number;
  }

  /** Report a message of a followed chat to the moderators. */
  interface ReportChat {
    type: "chat_report";
    id: string;
    stream: string;
    message: number;
  }

  /** Confirmation that the command `id` took effect. */
  interface Result {
    type: "result";
    id: string;
    ok: boolean;
  }

  /** Restart of all tables and the clock after a pause, a fault or an outage. */
  interface Resumed {
    type: "resumed";
  }

  /** Your seat is free: too long away, no chips, closed or taken off; `amount` is your stack. */
  interface RingSeatFreed {
    type: "ring_seat_freed";
    game: number;
    name: string;
    table: number;
    reason: "closed" | "disconnected" | "no_chips" | "sat_out" | "taken_off";
    amount: number;
  }

  /** A seat of the waiting list, held for you until `until_ms`. */
  interface RingSeatHeld {
    type: "ring_seat_offered";
    game: number;
    name: string;
    table: number;
    number: number;
    seat: number;
    offer: number;
    until_ms: number;
  }

  /** Your automatic top-up is off: `balance` cents, or `left` by your own limits, are too few. */
  interface RingTopUpMissed {
    type: "ring_top_up_missed";
    game: number;
    name: string;
    table: number;
    balance: number;
    left: number | null;
  }

  /** You wait for no seat of a game any more: an offer has expired, or the game closes. */
  interface RingWaitEnded {
    type: "ring_wait_ended";
    game: number;
    name: string;
    reason: "closed" | "expired";
  }

  /** Message of the room to all viewers of the tournament. */
  interface RoomMessage {
    type: "room_message";
    text: string;
  }

  /** Message of the room to every player of your tournament. */
  interface RoomSays {
    type: "room_says";
    tournament: number;
    name: string;
    text: string;
  }

  /** Start of round `number` of a shootout: `left` players, new stacks, first level (F-04). */
  interface RoundBegan {
    type: "round_began";
    number: number;
    rounds: number;
    left: number;
  }

  /** Betting is over: the time of each street still to come, and of the result (S-04). Each event of the run-out is sent at its time, never before; the result comes at `released_at_ms`. */
  interface RunOutBegan {
    type: "run_out_began";
    hand: number;
    streets: Array<StreetTime>;
    released_at_ms: number;
  }

  /** Schedule of a decided hand whose cards are still being shown, as sent in `run_out_began`. */
  interface RunOutSnapshot {
    hand: number;
    streets: Array<StreetTime>;
    released_at_ms: number;
  }

  /** A seat sits out: dealt in, folded at its turn. */
  interface SatOut {
    type: "sat_out";
    seat: number;
  }

  /** Your new seat at another table (T-08). */
  interface SeatChanged {
    type: "moved";
    tournament: number;
    name: string;
    from_table: number;
    to_table: number;
    number: number;
    seat: number;
  }

  /** An entry left its seat; `to_table` is the table it moves to, if any. */
  interface SeatLeft {
    type: "seat_left";
    seat: number;
    entry: number;
    reason: "closed" | "disqualified" | "knocked_out" | "left" | "moved";
    to_table: number | null;
  }

  /** One seat as the viewer may see it, amounts in chips; "??" is a hidden card. A seat that is not `dealt` waits or is away: hands are dealt without it. In a rapid pool, where each hand has an entry of its own, pledges are bound to the `session`. */
  interface SeatSnapshot {
    seat: number;
    entry: number;
    user: number;
    name: string;
    chips: number;
    bet: number;
    absent: boolean;
    in_hand: boolean;
    folded: boolean;
    all_in: boolean;
    cards: Array<string>;
    bank_ms: number;
    dealt: boolean;
    session: number | null;
  }

  /** An entry sat down. In a rapid pool, where each hand has an entry of its own, pledges are bound to the `session`. */
  interface SeatTaken {
    type: "seat_taken";
    seat: number;
    entry: number;
    user: number;
    name: string;
    chips: number;
    bank_ms: number;
    absent: boolean;
    session: number | null;
  }

  /** Your drawn seat. */
  interface Seated {
    type: "seated";
    tournament: number;
    name: string;
    table: number;
    number: number;
    seat: number;
  }

  /** Send an emote to a chat, under the rules and limits of `chat`. It comes back as a `chat_message` with its key in `emote` and its symbol as the text. */
  interface SendEmote {
    type: "chat_emote";
    id: string;
    stream: string;
    emote: "good_luck" | "hello" | "laughing" | "nice_hand" | "sorry" | "thanks" | "well_played" | "wow";
  }

  /** Chips that one seat takes from a pot. */
  interface Share {
    seat: number;
    amount: number;
  }

  /** Show one or both own hole cards after the hand (S-02). */
  interface ShowCards {
    type: "show";
    id: string;
    table: number;
    epoch: number;
    hand: number;
    cards: "both" | "first" | "second";
  }

  /** Silence the author of a message for some minutes; the author reads the reason. Moderators silence in every chat, managers of a club in the chats of the club. */
  interface SilenceChat {
    type: "chat_silence";
    id: string;
    stream: string;
    message: number;
    minutes: number;
    reason: string;
  }

  /** Sit out: the own seat stays dealt in and is folded at its turn. */
  interface SitOut {
    type: "sit_out";
    id: string;
    table: number;
  }

  /** State of a stream at event `id`; it replaces everything the client knew of that stream. */
  interface Snapshot {
    type: "snapshot";
    stream: string;
    id: string;
    state: any;
  }

  /** Draw of the pool of a spin by a fair lot (F-05). */
  interface SpinDrawn {
    type: "spin_drawn";
    spin: SpinOdds;
  }

  /** Result of a spin: the number drawn of 100,000, its multiplier, pool and prizes in cents. `odds` are pairs of a multiplier and its frequency in 100,000 (F-05). */
  interface SpinOdds {
    drawn: number;
    multiplier: number;
    pool: number;
    prizes: Array<number>;
    odds: Array<[number, number]>;
    at_ms: number;
  }

  /** A seat and the chips in front of it. */
  interface Stack {
    seat: number;
    chips: number;
  }

  /** Rank of a stack of so many chips, 1 the largest, and the average stack of the field. The field is the one of a moment ago, without the stack that the asker had in it; equal stacks have one rank. */
  interface StackRank {
    type: "rank";
    stream: string;
    chips: number;
    rank: number;
    average: number;
  }

  /** Forced bets and bet sizes of a level, in chips (L-01, H-08). Fixed limit: `small_bet` (0: the big blind) and `big_bet` (0: twice the small bet) (B-03). Spread limit: a bet or raise adds from `small_bet` (0: the big blind) to `big_bet` (0: twice the least) chips (B-04). Stud without limit: `small_bet` is the least bet. */
  interface Stakes {
    small_blind: number;
    big_blind: number;
    ante: number;
    ante_kind: "big_blind" | "none" | "per_seat";
    bring_in: number;
    small_bet: number;
    big_bet: number;
  }

  /** Start of play after the seat draw; pool and prizes in cents, first place first. Pool and prizes are those of the field now, and final only if nothing is sold after the start. */
  interface Started {
    type: "started";
    entrants: number;
    tables: number;
    pool: number;
    prizes: Array<number>;
    at_ms: number;
  }

  /** A street begins, after a burn: its community cards, none in stud (H-01, D-01). */
  interface StreetDealt {
    type: "street_dealt";
    street: "fifth" | "flop" | "fourth" | "preflop" | "river" | "seventh" | "sixth" | "third" | "turn";
    cards: Array<string>;
  }

  /** Time at which a street of a run-out is shown, in ms on the room's clock. */
  interface StreetTime {
    street: "fifth" | "flop" | "fourth" | "preflop" | "river" | "seventh" | "sixth" | "third" | "turn";
    at_ms: number;
  }

  /** Follow a stream, from just after an event id already seen, else from a snapshot. The socket that subscribed last plays the player's own table, unless it subscribed with `watch`. With `ask`, a table that is played from another `window` stays with that window, and this socket receives `taken_over`. */
  interface Subscribe {
    type: "subscribe";
    stream: string;
    after?: string | null;
    watch?: boolean;
    window?: string;
    ask?: boolean;
  }

  /** Row of a tournament in the lobby; money in cents, `starts_at_ms` since the epoch. `starts_at_ms` is the planned start, after the start the actual one. `late` is set during late registration (E-01), `full` when all places are taken, `rebuys` during the re-buy period (E-04). A player may have `entries_max` entries, `several` at once or one after another (E-02, E-03). With `cash_value` a chip is worth a cent. `bets` are the bets of the first level in split limit, minimum and maximum in spread limit; else null (B-03, B-04). A tournament of a `club` is watched and entered by everybody, its members, or invited players. */
  interface Summary {
    tournament: number;
    name: string;
    format: string;
    start: string;
    variant: string;
    limit: string;
    bets: [number, number] | null;
    state: string;
    shown: string;
    buy_in: number;
    bounty: number;
    fee: number;
    pool: number;
    guarantee: number;
    starting_stack: number;
    seats_per_table: number;
    players_min: number;
    players_max: number;
    entrants: number;
    left: number;
    private: boolean;
    starts_at_ms: number | null;
    methods: string;
    activity: string;
    structure: string;
    speed_ms: number;
    level: number;
    late: boolean;
    full: boolean;
    entries_max: number;
    several: boolean;
    rebuys: boolean;
    cash_value: boolean;
    club: number | null;
    club_name: string;
    watched_by: string;
    entered_by: string;
  }

  /** The table is closed; no event follows on its stream. */
  interface TableClosed {
    type: "table_closed";
  }

  /** The next hand of this table plays level `level`, counted from 1 (L-04). */
  interface TableLevelBegan {
    type: "level_began";
    level: number;
    stakes: Stakes;
  }

  /** Opening of a table. */
  interface TableOpened {
    type: "table_opened";
    table: number;
    number: number;
  }

  /** An open table: players and their stacks in chips. */
  interface TableRow {
    table: number;
    number: number;
    players: number;
    smallest: number;
    largest: number;
    average: number;
    hand: number;
  }

  /** A table as the viewer may see it at one event id; equals the fold of the viewer's events. `log` holds the events of the last hand begun as the viewer received them, so that a page opened in the middle of a hand can show its course. Cards shown after the hand appear as one event for each seat. `seal` is that of the deck sealed last, None before a table's first hand; `cutting` is the call that players may answer now. `voided` is the hand that a fault ended: all chips are as before it; the hand that is dealt in its place, under its number, still has it. A closed table has the decks that it `opened`. */
  interface TableSnapshot {
    table: number;
    game: number;
    epoch: number;
    hand: number;
    seats_max: number;
    seats: Array<SeatSnapshot>;
    level: number;
    stakes: Stakes;
    button: number | null;
    small_blind: number | null;
    big_blind: number | null;
    street: string | null;
    board: Array<string>;
    pots: Array<Pot>;
    turn: TurnSnapshot | null;
    waiting: "balancing" | "break" | "deal" | "final_table" | "hand_for_hand" | "next_round" | "paused" | "players" | "rebuy" | "settling" | "starting" | "time_up" | null;
    closed: boolean;
    number: number;
    variant: string | null;
    limit: string | null;
    log: Array<HandBegan | Posted | HoleCardsDealt | Folded | Checked | Called | BetMade | Raised | UncalledReturned | BetsCollected | RakeTaken | HandsRevealed | StreetDealt | CardsShown | Mucked | PotAwarded | HandEnded>;
    run_out: RunOutSnapshot | null;
    seal: string | null;
    cutting: CutCalled | null;
    voided: number | null;
    opened: Array<DeckOpened>;
  }

  /** No hand is dealt for the given reason; `until_ms` is the end of the wait, if known. */
  interface TableWaiting {
    type: "table_waiting";
    reason: "balancing" | "break" | "deal" | "final_table" | "hand_for_hand" | "next_round" | "paused" | "players" | "rebuy" | "settling" | "starting" | "time_up";
    until_ms: number | null;
  }

  /** Another socket of the same player plays this table now; this socket only watches it. */
  interface TakenOver {
    type: "taken_over";
    stream: string;
  }

  /** End of your ticket: exchanged, expired or withdrawn, as in `state`. */
  interface TicketClosed {
    type: "ticket_closed";
    ticket: number;
    value: number;
    scope: string;
    state: string;
  }

  /** A new ticket of yours, worth `value` cents for tournaments of `scope` (K-01). */
  interface TicketIssued {
    type: "ticket_issued";
    ticket: number;
    value: number;
    scope: string;
    source: string;
    until_ms: number;
  }

  /** Start the own time bank for the turn that is asked now. */
  interface TimeBank {
    type: "time_bank";
    id: string;
    table: number;
    epoch: number;
    hand: number;
    turn: number;
  }

  /** A seat used part of its time bank; `bank_ms` is the time left in it, in ms. */
  interface TimeBankCharged {
    type: "time_bank_charged";
    seat: number;
    bank_ms: number;
  }

  /** The seat to act runs on its time bank until `deadline_ms`. */
  interface TimeBankStarted {
    type: "time_bank_started";
    seat: number;
    turn: number;
    deadline_ms: number;
  }

  /** The seat's clock ran out; the forced check, fold or bring-in follows as its action. */
  interface TimedOut {
    type: "timed_out";
    seat: number;
    turn: number;
  }

  /** Cancellation of your tournament; `refund` cents were credited to your account. A ticket used for the entry is returned, worth `ticket` cents (K-05). */
  interface TournamentCancelled {
    type: "tournament_cancelled";
    tournament: number;
    name: string;
    refund: number;
    reason: string;
    ticket: number;
  }

  /** New complete lobby row of a tournament; at most one a second per tournament. */
  interface TournamentChanged {
    type: "tournament_summary";
    summary: Summary;
  }

  /** End of a tournament in which you were still in play; your `place` wins nothing. */
  interface TournamentOver {
    type: "tournament_over";
    tournament: number;
    name: string;
    place: number;
  }

  /** Stop of your tournament after the hand; `reason` as in `paused`. */
  interface TournamentPaused {
    type: "tournament_paused";
    tournament: number;
    name: string;
    reason: string;
  }

  /** Restart of your tournament. */
  interface TournamentResumed {
    type: "tournament_resumed";
    tournament: number;
    name: string;
  }

  /** First state of a tournament's stream: its overview and tables; players are paged separately. `heads` are the cents on live entries whose bounty differs from the one bought (N-04). In a `research` room bots alone play, with decks from seeds and without proofs. */
  interface TournamentSnapshot {
    overview: Overview;
    tables: Array<TableRow>;
    heads: Record<string, number>;
    research: boolean;
  }

  /** Closing of a table; its players have other seats (T-08). */
  interface TournamentTableClosed {
    type: "table_closed";
    table: number;
    number: number;
  }

  /** A seat is asked to act until `deadline_ms` (room's clock); commands name `turn`. */
  interface TurnBegan {
    type: "turn_began";
    hand: number;
    seat: number;
    turn: number;
    deadline_ms: number;
    bank_ms: number;
    option: Option;
  }

  /** The turn being asked, with its deadline (room's clock, ms); `on_bank` once the bank runs. It is `disconnected` once the time for a lost connection runs. */
  interface TurnSnapshot {
    seat: number;
    turn: number;
    deadline_ms: number;
    option: Option;
    on_bank: boolean;
    disconnected: boolean;
  }

  /** Chips that no other seat matched went back to their seat (H-10). */
  interface UncalledReturned {
    type: "uncalled_returned";
    seat: number;
    amount: number;
  }

  /** Withdrawal of your entry; `refund` in cents, `left` counts your remaining entries (T-06). A ticket used for the entry is returned, worth `ticket` cents (K-05). `reason` is that of the organiser who took you out; empty where you did it yourself. */
  interface Unregistered {
    type: "unregistered";
    tournament: number;
    name: string;
    refund: number;
    left: number;
    ticket: number;
    reason: string;
  }

  /** Stop following a stream. */
  interface Unsubscribe {
    type: "unsubscribe";
    stream: string;
  }

  /** Seats of a user now, and tournaments of the user with the state of the entry, by id. `offers` wait for the user's answer; `starts` are to come. */
  interface UserSnapshot {
    seats: Array<MySeat>;
    tournaments: Record<string, string>;
    offers: Array<OfferMade>;
    starts: Array<MyStart>;
  }

  /** First message on a socket; `now_ms` is the room's clock, in which all deadlines are given. `room` is the room's id in pledges, in hexadecimal digits. */
  interface Welcome {
    type: "welcome";
    protocol: number;
    now_ms: number;
    user: number | null;
    name: string | null;
    room: string;
  }

  /** Write to a chat, e.g. `tablechat:12`; the socket follows that table and has a seat at it. The text is stored composed (NFC) and on one line, with at most 200 characters, and is shown as it is, without markup. The message comes back as `chat_message` of the chat's stream. */
  interface WriteChat {
    type: "chat";
    id: string;
    stream: string;
    text: string;
  }
}
