/** Thrown by `run` and `resume` if a turn of this id has other calls or another principal. */
export class TurnConflict extends Error {
  override readonly name = "TurnConflict";
  readonly code = "turn-conflict";
  readonly turnId: string;

  constructor(turnId: string, what: "calls" | "principal") {
    super(`The turn "${turnId}" was opened with ${what === "calls" ? "other calls" : "another principal"}.`);
    this.turnId = turnId;
  }
}

/** Thrown by `resume` if the call store has no such turn. */
export class UnknownTurn extends Error {
  override readonly name = "UnknownTurn";
  readonly code = "unknown-turn";
  readonly turnId: string;

  constructor(turnId: string) {
    super(`The call store has no turn "${turnId}".`);
    this.turnId = turnId;
  }
}

/** Thrown by a call store for data that it did not write: nothing that depends on it runs. */
export class DamagedStore extends Error {
  override readonly name = "DamagedStore";
  readonly code = "damaged-store";
  readonly place: string;

  constructor(place: string) {
    super(`${place}: the call store is damaged, or was changed by hand. Nothing that depends on it runs.`);
    this.place = place;
  }
}
