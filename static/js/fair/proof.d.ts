// The proof of a hand as the room writes it, and what a check reads of it (docs/fairness.md).

declare namespace Fair {
  /** A seat that was called; `state` says what became of its cut. */
  interface RosterRow {
    seat: number;
    entry: number;
    state: number;
    pledge: string | null;
    seed: string | null;
  }

  /** A card that is opened, to "all" or to "you". */
  interface Opening {
    position: number;
    place: number;
    card: string;
    salt: string;
    to: string;
  }

  interface LogLeaf {
    index: number;
    path: string[];
  }

  /** A head that was seen at another time, with the path from the smaller to the larger one. */
  interface SeenHead {
    checkpoint: string;
    path: string[];
  }

  interface ProofLog {
    checkpoint: string;
    seal: LogLeaf;
    fate: LogLeaf;
    older?: SeenHead | null;
    newer?: SeenHead | null;
  }

  /** What a browser noted while the hand was played. */
  interface Notes {
    seal?: string;
    call?: string | null;
    pledge?: string | null;
    seed?: string | null;
    entry?: number;
    in_time?: boolean;
    hole?: string[];
    course?: string;
  }

  interface Proof {
    version: number;
    origin: string;
    table: number;
    epoch: number;
    hand: number;
    variant: string;
    viewer: number | null;
    looked_up?: number[];
    cards: number;
    envelopes: string[];
    seal: string;
    call: string | null;
    call_signature: string | null;
    cut_key: string | null;
    cut: number[];
    roster: RosterRow[];
    openings?: Opening[];
    /** Events of the hand, as objects or as JSON. */
    course?: any[];
    sealed_ms: number;
    called_ms: number | null;
    dealt_ms: number | null;
    ended_ms: number;
    fate: number;
    reason: number;
    escrow_hash: string | null;
    secret?: string | null;
    auditor?: { secret?: string; deck?: string } | null;
    log?: ProofLog | null;
    notes?: Notes | null;
  }

  /** A proof with what all checks need of it. */
  interface Given {
    proof: Proof;
    room: Uint8Array;
    hand: Uint8Array;
    events: any[];
    seal: Uint8Array;
    deal: import("./course.js").Deal | null;
    course: Uint8Array;
    callKeys: Uint8Array[];
    logKeys: Uint8Array[];
  }

  /** The room's public keys, in hexadecimal digits. */
  interface Keys {
    call: string[];
    log: string[];
  }

  type Outcome = boolean | null;
}
