import type { WireTool } from "@hasp/schema";

/** Every behavioural field of a tool. This is the only list; types, defaults, spec keys and claims derive from it. */
export const FIELDS = {
  concurrency: {
    class: {
      values: ["UNSAFE", "WRITE_EXCLUSIVE", "READ_ONLY"],
      order: "strictest-first",
      strict: "UNSAFE",
      varies: true,
      entails: { READ_ONLY: { isReadOnly: true, isDestructive: false, isIdempotent: true } },
    },
  },
  behavior: {
    isReadOnly: {
      values: [false, true],
      order: "strictest-first",
      strict: false,
      varies: true,
      hint: "readOnly",
    },
    isDestructive: {
      values: [true, false],
      order: "strictest-first",
      strict: true,
      varies: true,
      hint: "destructive",
    },
    isIdempotent: {
      values: [false, "withKey", true],
      order: "strictest-first",
      strict: false,
      varies: true,
      hint: "idempotent",
    },
    isOpenWorld: {
      values: [true, false],
      order: "strictest-first",
      strict: true,
      varies: true,
      hint: "openWorld",
    },
    returnsUntrusted: {
      values: [true, false],
      order: "strictest-first",
      strict: true,
      varies: true,
    },
    returnsPrivate: {
      values: [true, false],
      order: "strictest-first",
      strict: true,
      varies: true,
    },
    requiresPermission: {
      values: [true, false],
      order: "strictest-first",
      strict: true,
      varies: true,
    },
    requiresUserInteraction: {
      values: [true, false],
      order: "strictest-first",
      strict: false,
    },
    interruptBehavior: {
      values: ["block", "cancel"],
      order: "choice",
      strict: "block",
    },
    abortsSiblingsOnError: {
      values: [true, false],
      order: "strictest-first",
      strict: false,
    },
  },
  visibility: {
    load: {
      values: ["normal", "deferred", "always"],
      order: "choice",
      strict: "normal",
    },
  },
  limits: {
    maxResultSizeChars: {
      number: { type: "integer", exclusiveMinimum: 0 },
      order: "smaller-is-stricter",
      unlimited: true,
      strict: 100_000,
      unit: "characters",
    },
    timeoutSeconds: {
      number: { type: "number", exclusiveMinimum: 0 },
      order: "smaller-is-stricter",
      unlimited: true,
      strict: 60,
      unit: "seconds",
    },
    maxRetries: {
      number: { type: "integer", minimum: 0, maximum: 100 },
      order: "smaller-is-stricter",
      unlimited: false,
      strict: 0,
      unit: "retries",
    },
  },
} as const;

/** Decides if results are checked against the output schema. In a spec it is beside `output`, in none of the groups. */
export const OUTPUT_CHECK = {
  values: ["enforce", "report", "off"],
  order: "strictest-first",
  strict: "enforce",
} as const;

/** The treatment of an output that does not fit the output schema. */
export type OutputCheck = (typeof OUTPUT_CHECK.values)[number];

export type FieldValue = boolean | number | string;

/** One row of {@link FIELDS}. */
export type Field = FieldOfWords | FieldOfNumbers;

interface FieldBase {
  readonly strict: FieldValue;
  /** True if a value may vary from call to call. */
  readonly varies?: true;
  /** Its name in static hints, such as the annotations of MCP. */
  readonly hint?: keyof WireTool["hints"];
}

interface FieldOfWords extends FieldBase {
  readonly values: readonly (boolean | string)[];
  /** In `values`, each value is looser than those before it; with `choice`, none is looser than another. */
  readonly order: "strictest-first" | "choice";
  /** Values of other fields that a value of this one claims as well. */
  readonly entails?: { readonly [value: string]: Partial<FlagValues> };
}

interface FieldOfNumbers extends FieldBase {
  /** The allowed numbers, in the words of JSON Schema. */
  readonly number: {
    readonly type: "integer" | "number";
    readonly minimum?: number;
    readonly exclusiveMinimum?: number;
    readonly maximum?: number;
  };
  readonly order: "smaller-is-stricter";
  /** True if `unlimited`, the loosest value of all, is allowed too. */
  readonly unlimited: boolean;
  readonly unit: string;
}

type Fields = typeof FIELDS;

/** A part of a spec that holds fields. */
export type FieldGroup = keyof Fields;

export type FieldName<Group extends FieldGroup> = keyof Fields[Group] & string;

/** A field with its group, such as `behavior.isDestructive`. */
export type FieldPath = { [Group in FieldGroup]: `${Group}.${FieldName<Group>}` }[FieldGroup];

type ValueOf<Row> = Row extends { readonly values: readonly (infer Value)[] }
  ? Value
  : Row extends { readonly unlimited: true }
    ? number | "unlimited"
    : number;

export type FieldValues<Group extends FieldGroup> = {
  readonly [Name in FieldName<Group>]: ValueOf<Fields[Group][Name]>;
};

/** Every behavioural fact about a tool. Whatever a spec omits has its value from {@link FAIL_CLOSED_DEFAULTS}. */
export type ToolMetadata = { readonly [Group in FieldGroup]: FieldValues<Group> };

/** The name of a flag that may vary from call to call. */
export type VaryingFlag = {
  [Name in FieldName<"behavior">]: Fields["behavior"][Name] extends { readonly varies: true } ? Name : never;
}[FieldName<"behavior">];

/** The flags that may vary from call to call, each with its value. */
export type FlagValues = Pick<FieldValues<"behavior">, VaryingFlag>;

/** The way a call may run: alone with unbounded effects, alone, or together with other readers. */
export type ConcurrencyClass = ToolMetadata["concurrency"]["class"];

/** A limit that a spec may lift on purpose. */
export type Limit = ToolMetadata["limits"]["timeoutSeconds"];

export interface FieldEntry {
  readonly group: FieldGroup;
  readonly name: string;
  readonly path: FieldPath;
  readonly field: Field;
}

const TABLE: { readonly [Group in FieldGroup]: { readonly [name: string]: Field } } = FIELDS;

export const FIELD_ENTRIES: readonly FieldEntry[] = /* @__PURE__ */ listFields();

// A function, as the next one: a bundler keeps the arguments of a call whose result nobody uses.
function listFields(): readonly FieldEntry[] {
  const entries = (Object.keys(TABLE) as FieldGroup[]).flatMap((group) =>
    Object.entries(TABLE[group]).map(([name, field]) => ({
      group,
      name,
      path: `${group}.${name}` as FieldPath,
      field,
    })),
  );
  return Object.freeze(entries);
}

/** The flags that may vary from call to call, in the order of the table. */
export const VARYING_FLAGS: readonly VaryingFlag[] = /* @__PURE__ */ listVaryingFlags();

function listVaryingFlags(): readonly VaryingFlag[] {
  const entries = FIELD_ENTRIES.filter(({ group, field }) => group === "behavior" && field.varies === true);
  return Object.freeze(entries.map(({ name }) => name as VaryingFlag));
}

/** Returns frozen metadata with a value for each field. */
export function createMetadata(valueOf: (entry: FieldEntry) => unknown): ToolMetadata {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const entry of FIELD_ENTRIES) (groups[entry.group] ??= {})[entry.name] = valueOf(entry);
  for (const group of Object.values(groups)) Object.freeze(group);
  return Object.freeze(groups) as unknown as ToolMetadata;
}

/** The fail-closed defaults. Compiler, generated files and runtime read this one object. */
export const FAIL_CLOSED_DEFAULTS: ToolMetadata = /* @__PURE__ */ createMetadata(({ field }) => field.strict);

export function fits(field: Field, value: unknown): boolean {
  if ("values" in field) return field.values.includes(value as string);
  if (value === "unlimited") return field.unlimited;
  const { type, minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity } = field.number;
  return (
    Number.isFinite(value) &&
    (type === "number" || Number.isSafeInteger(value)) &&
    Number(value) >= minimum &&
    Number(value) > exclusiveMinimum &&
    Number(value) <= maximum
  );
}

/** True if a value of a field loosens another. No value of a choice does. */
export function isLooser(field: Field, value: unknown, than: unknown): boolean {
  if ("number" in field) return amountOf(value) > amountOf(than);
  if (field.order === "choice") return false;
  return field.values.indexOf(value as string) > field.values.indexOf(than as string);
}

export function strictest<Value extends FieldValue>(field: Field, values: readonly Value[]): Value {
  return values.reduce((found, value) => (isLooser(field, found, value) ? value : found));
}

/** Returns the flags that a class claims besides itself. */
export function entailedBy(concurrencyClass: unknown): Partial<FlagValues> {
  const { entails }: FieldOfWords = FIELDS.concurrency.class;
  return (typeof concurrencyClass === "string" ? entails?.[concurrencyClass] : undefined) ?? {};
}

/** Returns the flags that a row of the rules states, or its class entails. */
export function flagsOfRow(row: { readonly class: ConcurrencyClass } & Partial<FlagValues>): Partial<FlagValues> {
  const stated = VARYING_FLAGS.filter((flag) => row[flag] !== undefined).map((flag) => [flag, row[flag]]);
  return { ...entailedBy(row.class), ...Object.fromEntries(stated) };
}

/** Returns the static hints of a tool by their wire names. Only `true` counts: `withKey` is a condition. */
export function toHints(flags: { readonly [name: string]: unknown }): WireTool["hints"] {
  const hints = FIELD_ENTRIES.flatMap(({ name, field }) =>
    field.hint === undefined ? [] : [[field.hint, flags[name] === true]],
  );
  return Object.fromEntries(hints) as WireTool["hints"];
}

function amountOf(value: unknown): number {
  return value === "unlimited" ? Infinity : Number(value);
}

/** Describes a field's values in words that follow "must be". */
export function expectedValue(field: Field): string {
  if ("values" in field) return joinWords(field.values.map(String), "or");
  const { type, minimum, exclusiveMinimum, maximum } = field.number;
  const kind = type === "integer" ? "a whole number" : "a number";
  const least = exclusiveMinimum === undefined ? `of at least ${minimum ?? "any"}` : `above ${exclusiveMinimum}`;
  const range = minimum !== undefined && maximum !== undefined ? `from ${minimum} to ${maximum}` : least;
  return `${kind} of ${field.unit} ${range}${field.unlimited ? ", or unlimited" : ""}`;
}

export function joinWords(words: readonly string[], conjunction: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}
