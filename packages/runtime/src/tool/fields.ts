import type { WireTool } from "@hasp/schema";

/**
 * Every behavioural field of a tool: its values, its default, which of its values is looser
 * than which. This is the only list of fields. The defaults, the types, the spec format, what `buildTool` accepts, the
 * claims that need an approval, what a comparison calls looser, the generated files and the reference tables are all
 * derived from it.
 */
export const FIELDS = {
  concurrency: {
    class: {
      values: ["UNSAFE", "WRITE_EXCLUSIVE", "READ_ONLY"],
      order: "strictest-first",
      strict: "UNSAFE",
      description: "The class of a call that no rule matches, and of a call whose rules fail with an error.",
      perCall: "The class of a call that matches.",
      meanings: {
        UNSAFE: "alone, effects unbounded",
        WRITE_EXCLUSIVE: "alone, effects bounded",
        READ_ONLY: "changes nothing; runs in parallel with other READ_ONLY calls",
      },
      entails: { READ_ONLY: { isReadOnly: true, isDestructive: false, isIdempotent: true } },
    },
  },
  behavior: {
    isReadOnly: {
      values: [false, true],
      order: "strictest-first",
      strict: false,
      description: "Whether the tool changes nothing.",
      perCall: "Whether a call that matches changes nothing.",
      hint: "readOnly",
    },
    isDestructive: {
      values: [true, false],
      order: "strictest-first",
      strict: true,
      description: "Whether the tool may destroy or overwrite something.",
      perCall: "Whether a call that matches may destroy or overwrite something.",
      hint: "destructive",
    },
    isIdempotent: {
      values: [false, "withKey", true],
      order: "strictest-first",
      strict: false,
      description: "Whether the same call may safely be repeated.",
      perCall: "Whether a call that matches may safely be repeated.",
      meanings: { withKey: "safe to repeat as long as the idempotency key is the same" },
      hint: "idempotent",
    },
    isOpenWorld: {
      values: [true, false],
      order: "strictest-first",
      strict: true,
      description: "Whether the tool interacts with anything outside your own system.",
      hint: "openWorld",
    },
    requiresPermission: {
      values: [true, false],
      order: "strictest-first",
      strict: true,
      description: "Whether somebody must allow each call.",
      perCall: "Whether somebody must allow a call that matches.",
    },
    requiresUserInteraction: {
      values: [true, false],
      order: "strictest-first",
      strict: false,
      description: "Whether the tool needs a user at the screen. If true, it is not listed without one.",
    },
    interruptBehavior: {
      values: ["block", "cancel"],
      order: "choice",
      strict: "block",
      description: "What happens to a running call when the user interrupts.",
      meanings: { block: "the call finishes", cancel: "the call is stopped" },
      lintedBy: "safety/undecided-interrupt",
    },
    abortsSiblingsOnError: {
      values: [true, false],
      order: "strictest-first",
      strict: false,
      description: "Whether a failure of this tool stops the other calls of its batch.",
    },
  },
  visibility: {
    shouldDefer: {
      values: [false, true],
      order: "choice",
      strict: false,
      description: "Whether to keep the tool out of the list until `tool_search` loads it.",
      lintedBy: "size/deferred-without-hint",
    },
    alwaysLoad: {
      values: [false, true],
      order: "choice",
      strict: false,
      description: "Whether to keep the tool in the list even when others are deferred. It costs tokens in every turn.",
      lintedBy: "size/always-loaded",
    },
  },
  limits: {
    maxResultSizeChars: {
      number: { type: "integer", exclusiveMinimum: 0 },
      order: "smaller-is-stricter",
      unlimited: true,
      strict: 100_000,
      unit: "characters",
      description: "Characters of one result that the model may see.",
    },
    timeoutSeconds: {
      number: { type: "number", exclusiveMinimum: 0 },
      order: "smaller-is-stricter",
      unlimited: true,
      strict: 60,
      unit: "seconds",
      description: "Seconds that one attempt may take; may be fractional.",
    },
    maxRetries: {
      number: { type: "integer", minimum: 0, maximum: 100 },
      order: "smaller-is-stricter",
      unlimited: false,
      strict: 0,
      unit: "retries",
      description:
        "How many times a failed call is retried, if the failure is marked as retryable and the call is read-only or idempotent.",
    },
  },
} as const;

/** Whether results are held against the output schema. In a spec it is beside `output`, in none of the groups. */
export const OUTPUT_CHECK = {
  values: ["enforce", "report", "off"],
  order: "strictest-first",
  strict: "enforce",
  description: "What happens to an output that does not fit `output`.",
  meanings: {
    enforce: "the call fails",
    report: "the output is passed on, and the dispatcher emits a `problem` event with the code `output-mismatch`",
    off: "the output is passed on unchecked",
  },
} as const;

/** What happens to an output that does not fit the output schema. */
export type OutputCheck = (typeof OUTPUT_CHECK.values)[number];

/** Values of one set that exclude each other, whether stated for a tool or in one row of its rules. */
export const CONTRADICTIONS = [
  {
    values: { "behavior.isReadOnly": true, "behavior.isDestructive": true },
    code: "contradiction",
    why: "a call that changes nothing destroys nothing",
  },
  {
    values: { "visibility.shouldDefer": true, "visibility.alwaysLoad": true },
    code: "deferred-and-loaded",
    why: "a tool is either deferred or always loaded",
  },
] as const;

/** What a field's value may be. */
export type FieldValue = boolean | number | string;

/** One row of {@link FIELDS}. */
export type Field = FieldOfWords | FieldOfNumbers;

interface FieldBase {
  /** What holds where a spec says nothing. */
  readonly strict: FieldValue;
  /** One or two sentences for the spec format and its reference page. */
  readonly description: string;
  /** Present where a value may vary from call to call: the description of the field in a row of the rules. */
  readonly perCall?: string;
  /** What static hints, such as the annotations of MCP, call it. */
  readonly hint?: keyof WireTool["hints"];
  /** The rule that looks at a value which is a choice rather than a relaxation. */
  readonly lintedBy?: string;
}

/** A field that takes one of a few values. */
export interface FieldOfWords extends FieldBase {
  readonly values: readonly (boolean | string)[];
  /** In `values`, each value is looser than those before it; with `choice`, none is looser than another. */
  readonly order: "strictest-first" | "choice";
  /** What values mean that do not speak for themselves. */
  readonly meanings?: { readonly [value: string]: string };
  /** Values of other fields that a value of this one claims as well. */
  readonly entails?: { readonly [value: string]: Partial<FlagValues> };
}

/** A field that takes a number, and perhaps `unlimited`. */
export interface FieldOfNumbers extends FieldBase {
  /** The numbers that fit, in the words of JSON Schema. */
  readonly number: {
    readonly type: "integer" | "number";
    readonly minimum?: number;
    readonly exclusiveMinimum?: number;
    readonly maximum?: number;
  };
  readonly order: "smaller-is-stricter";
  /** Whether `unlimited`, the loosest value of all, fits too. */
  readonly unlimited: boolean;
  readonly unit: string;
}

type Fields = typeof FIELDS;

/** A part of a spec that holds fields. */
export type FieldGroup = keyof Fields;

/** The name of a field of one group. */
export type FieldName<Group extends FieldGroup> = keyof Fields[Group] & string;

/** A field with its group, such as `behavior.isDestructive`. */
export type FieldPath = { [Group in FieldGroup]: `${Group}.${FieldName<Group>}` }[FieldGroup];

/** The type of a row's values. */
type ValueOf<Row> = Row extends { readonly values: readonly (infer Value)[] }
  ? Value
  : Row extends { readonly unlimited: true }
    ? number | "unlimited"
    : number;

/** Every field of one group with its value. */
export type FieldValues<Group extends FieldGroup> = {
  readonly [Name in FieldName<Group>]: ValueOf<Fields[Group][Name]>;
};

/**
 * Every behavioural fact about a tool, none left open. What a spec omits has its value from
 * {@link FAIL_CLOSED_DEFAULTS}.
 */
export type ToolMetadata = { readonly [Group in FieldGroup]: FieldValues<Group> };

/** The name of a flag that may vary from call to call. */
export type VaryingFlag = {
  [Name in FieldName<"behavior">]: Fields["behavior"][Name] extends { readonly perCall: string } ? Name : never;
}[FieldName<"behavior">];

/** The flags that may vary from call to call, each with its value. */
export type FlagValues = Pick<FieldValues<"behavior">, VaryingFlag>;

/** How a call may run: alone with unbounded effects, alone, or together with other readers. */
export type ConcurrencyClass = ToolMetadata["concurrency"]["class"];

/** What may happen to a running call when the user interrupts. */
export type InterruptBehavior = ToolMetadata["behavior"]["interruptBehavior"];

/** `withKey`: safe to repeat as long as the idempotency key is the same. */
export type Idempotence = ToolMetadata["behavior"]["isIdempotent"];

/** A limit that a spec may lift on purpose. */
export type Limit = ToolMetadata["limits"]["timeoutSeconds"];

/** A row with its place in the table. */
export interface FieldEntry {
  readonly group: FieldGroup;
  readonly name: string;
  readonly path: FieldPath;
  readonly field: Field;
}

const TABLE: { readonly [Group in FieldGroup]: { readonly [name: string]: Field } } = FIELDS;

/** The rows of the table in order. */
export const FIELD_ENTRIES: readonly FieldEntry[] = /* @__PURE__ */ Object.freeze(
  (Object.keys(TABLE) as FieldGroup[]).flatMap((group) =>
    Object.entries(TABLE[group]).map(([name, field]) => ({
      group,
      name,
      path: `${group}.${name}` as FieldPath,
      field,
    })),
  ),
);

/** The flags that may vary from call to call, in the order of the table. */
export const VARYING_FLAGS: readonly VaryingFlag[] = /* @__PURE__ */ Object.freeze(
  FIELD_ENTRIES.filter(({ group, field }) => group === "behavior" && field.perCall !== undefined).map(
    ({ name }) => name as VaryingFlag,
  ),
);

/** The row of a field. */
export function fieldAt(path: FieldPath): Field {
  const [group = "", name = ""] = path.split(".");
  const field = TABLE[group as FieldGroup][name];
  if (field === undefined) throw new Error(`There is no field ${path}.`);
  return field;
}

/** A value for each field, by its group and name; frozen. */
export function metadataOf(valueOf: (entry: FieldEntry) => unknown): ToolMetadata {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const entry of FIELD_ENTRIES) (groups[entry.group] ??= {})[entry.name] = valueOf(entry);
  for (const group of Object.values(groups)) Object.freeze(group);
  return Object.freeze(groups) as unknown as ToolMetadata;
}

/**
 * The fail-closed defaults: what a spec does not say is true of its tool. The compiler, the generated files and the
 * runtime read this one object, and each is proved against it.
 */
export const FAIL_CLOSED_DEFAULTS: ToolMetadata = /* @__PURE__ */ metadataOf(({ field }) => field.strict);

/** Whether a field takes a value. */
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

/** Whether a value of a field loosens another. No value of a choice does. */
export function isLooser(field: Field, value: unknown, than: unknown): boolean {
  if ("number" in field) return amountOf(value) > amountOf(than);
  if (field.order === "choice") return false;
  return field.values.indexOf(value as string) > field.values.indexOf(than as string);
}

/** The strictest of some values of a field. */
export function strictest<Value extends FieldValue>(field: Field, values: readonly Value[]): Value {
  return values.reduce((found, value) => (isLooser(field, found, value) ? value : found));
}

/** The flags that a class claims besides itself. */
export function entailedBy(concurrencyClass: unknown): Partial<FlagValues> {
  const { entails }: FieldOfWords = FIELDS.concurrency.class;
  return (typeof concurrencyClass === "string" ? entails?.[concurrencyClass] : undefined) ?? {};
}

/** The flags that a row of the rules states, or its class entails. */
export function flagsOfRow(row: { readonly class: ConcurrencyClass } & Partial<FlagValues>): Partial<FlagValues> {
  const stated = VARYING_FLAGS.filter((flag) => row[flag] !== undefined).map((flag) => [flag, row[flag]]);
  return { ...entailedBy(row.class), ...Object.fromEntries(stated) };
}

/** The static hints of a tool, by the names that dialects give them. Only `true` counts: `withKey` is a condition. */
export function hintsOf(flags: { readonly [name: string]: unknown }): WireTool["hints"] {
  const hints = FIELD_ENTRIES.flatMap(({ name, field }) =>
    field.hint === undefined ? [] : [[field.hint, flags[name] === true]],
  );
  return Object.fromEntries(hints) as WireTool["hints"];
}

function amountOf(value: unknown): number {
  return value === "unlimited" ? Infinity : Number(value);
}
