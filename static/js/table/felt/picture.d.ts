// What the parts of a table draw: the table as it is now, and where its seats lie.

declare namespace Felt {
  /** A point of the felt, in percent of its width and height. */
  interface Spot {
    x: number;
    y: number;
  }

  /** A seat and its bet; `offset` counts from the seat drawn nearest to the viewer. */
  interface Place {
    seat: Spot;
    bet: Spot;
    offset: number;
  }

  interface Picture {
    state: Wire.TableSnapshot;
    moment: import("../../state/moment.js").Moment;
    field: import("../../state/field.js").Field | null;
    /** Entries whose players have this table open nowhere. */
    disconnected: Set<number>;
    portrait: boolean;
    compact: boolean;
    places: Map<number, Place>;
    /** The viewer's own seat, null for a spectator. */
    me: number | null;
    /** Whether stacks are counted in big blinds. */
    inBlinds: boolean;
    showdown: Readonly<import("../../cards/best_five.js").Showdown>;
    allIn: import("../../cards/all_in.js").Shares | null;
    /** Pictures, flags and marks by user. */
    faces: Map<number, import("./seat_face.js").Face>;
    notes: Map<number, import("../../state/note_words.js").PlayerNote>;
    openSeat: ((seat: Wire.SeatSnapshot) => void) | null;
  }
}
