/** A value and the settings for which it was computed. */
type Saved = readonly [settings: string, value: unknown];

/** The saved values of some facts, by name. */
export type SavedFacts = Readonly<Record<string, Saved>>;

/** What was computed from one file or one tool, by name. */
export class Facts {
  readonly #live = new Map<string, Saved>();
  readonly #read: () => SavedFacts;
  #saved: Map<string, Saved> | undefined;
  #hasChanged = false;

  /** What the values depend on; empty where nothing is stored. */
  readonly key: string;

  /** `read` gives what an earlier process computed; it is called when a value is first asked for. */
  constructor(read: () => SavedFacts = () => ({}), key = "") {
    this.#read = read;
    this.key = key;
  }

  /** Whether anything was computed that the earlier process did not know. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /**
   * A value that a later process may find again: plain JSON data. `settings` says what else it depends on; it is
   * computed again when they change.
   */
  of<Value>(name: string, compute: () => Value, settings = ""): Value {
    const known = this.#savedValues().get(name);
    // The name stands for the type: every value of that name was computed by the same code.
    return known?.[0] === settings ? (known[1] as Value) : this.#save(name, settings, compute());
  }

  /** The same for a value that takes time. */
  async ofAsync<Value>(name: string, compute: () => Promise<Value>, settings = ""): Promise<Value> {
    const known = this.#savedValues().get(name);
    return known?.[0] === settings ? (known[1] as Value) : this.#save(name, settings, await compute());
  }

  /** A value of any kind, which this process computes once. */
  live<Value>(name: string, compute: () => Value, settings = ""): Value {
    const known = this.#live.get(name);
    if (known?.[0] === settings) return known[1] as Value;
    const value = compute();
    this.#live.set(name, [settings, value]);
    return value;
  }

  #savedValues(): Map<string, Saved> {
    return (this.#saved ??= new Map(Object.entries(this.#read())));
  }

  #save<Value>(name: string, settings: string, value: Value): Value {
    this.#savedValues().set(name, [settings, value]);
    this.#hasChanged = true;
    return value;
  }

  /** Everything that a later process may find again. */
  toJSON(): SavedFacts {
    return Object.fromEntries(this.#saved ?? Object.entries(this.#read()));
  }
}

/**
 * What earlier compilations computed. The key stands for everything that a value depends on: the texts, the plan. A
 * key that was not used for a few compilations is forgotten.
 */
export class CompileCache {
  readonly #entries = new Map<string, { readonly facts: Facts; lastUse: number }>();
  readonly #saved: (key: string) => (() => SavedFacts) | undefined;
  readonly #keys = new WeakMap<object, string>();
  #run = 0;

  /** `saved` gives what an earlier process stored under a key. */
  constructor(saved: (key: string) => (() => SavedFacts) | undefined = () => undefined) {
    this.#saved = saved;
  }

  /** The facts of a key; empty ones where nothing is known. */
  factsFor(key: string): Facts {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      known.lastUse = this.#run;
      return known.facts;
    }
    const facts = new Facts(this.#saved(key), key);
    this.#entries.set(key, { facts, lastUse: this.#run });
    return facts;
  }

  /** The facts of a value whose key takes time to compute: the very same object has the same key. */
  factsOf(subject: object, keyOf: () => string): Facts {
    const key = this.#keys.get(subject) ?? keyOf();
    this.#keys.set(subject, key);
    return this.factsFor(key);
  }

  /** Begins a compilation. */
  begin(): void {
    this.#run += 1;
    for (const [key, { lastUse }] of this.#entries) if (lastUse < this.#run - KEPT_RUNS) this.#entries.delete(key);
  }

  /** All facts by key. */
  entries(): ReadonlyMap<string, Facts> {
    return new Map([...this.#entries].map(([key, { facts }]) => [key, facts]));
  }
}

/** Watch mode compiles under two plans in turn, with and without approvals, and may do so twice for one change. */
const KEPT_RUNS = 4;
