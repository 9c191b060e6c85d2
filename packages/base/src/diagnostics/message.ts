import { mapMembers } from "../json/members.js";
import { isStructured, own } from "../json/json-value.js";
import { dropUndefined } from "../json/drop-undefined.js";
import { nameSome } from "./words.js";

/** The text of a finding: a template such as `Nothing is at {ref}; use {names:list}.`, or one per variant. */
export type Message = string | { readonly [variant: string]: string };

/** One kind of finding. */
export interface DiagnosticDefinition {
  readonly severity: Severity;
  readonly message: Message;
  /** The remedy. It is omitted if it has variants, but none for this finding, or if an optional parameter is missing. */
  readonly help?: Message;
  /** Cannot be suppressed or downgraded. */
  readonly fixed?: true;
  /** Says that something does not exist or is not used, which nobody knows before every spec can be parsed. */
  readonly needsAllSpecs?: true;
}

/** The kinds of findings with a common prefix, by the rest of their code. */
export interface DiagnosticDefinitions {
  readonly [name: string]: DiagnosticDefinition;
}

/** A kind of finding as hasp's tables declare it: an error, unless they say otherwise; a text has no remedy. */
type DiagnosticDeclaration =
  | string
  | (Omit<DiagnosticDefinition, "severity"> & Partial<Pick<DiagnosticDefinition, "severity">>);

export interface DiagnosticDeclarations {
  readonly [name: string]: DiagnosticDeclaration;
}

interface FormatParameters {
  readonly list: readonly string[];
  /** Items in double quotes, separated by commas. */
  readonly quoted: readonly string[];
  /** Items in backticks, separated by commas. */
  readonly code: readonly string[];
  /** Any JSON value, as JSON, shortened. */
  readonly json: unknown;
  /** Any value, JSON or not: the JSON of a scalar, shortened, otherwise what kind of value it is. */
  readonly value: unknown;
  /** Parts of one sentence joined by `, and `: the first four, and how many more there are. */
  readonly clauses: readonly string[];
  /** A text on one line, shortened. */
  readonly excerpt: string;
  /** A sentence without its final full stop. */
  readonly clause: string;
  /** A text that keeps its line breaks. */
  readonly lines: string;
  /** Nothing if it is undefined. */
  readonly optional: string | undefined;
  /** ` Did you mean "…"?`, or nothing if there is no candidate. */
  readonly suggestion: readonly string[];
}

/** The parameters of a template, derived from its placeholders. */
export type TemplateParameters<Template extends string> = Template extends `${string}{${infer Rest}`
  ? Rest extends ` ${string}` | `"${string}` | `}${string}`
    ? TemplateParameters<Rest>
    : Rest extends `${infer Placeholder}}${infer Tail}`
      ? PlaceholderParameter<Placeholder> & TemplateParameters<Tail>
      : unknown
  : unknown;

type PlaceholderParameter<Placeholder extends string> = Placeholder extends `${infer Name}:${infer Format}`
  ? { readonly [N in Name]: Format extends keyof FormatParameters ? FormatParameters[Format] : never }
  : { readonly [N in Placeholder]: string | number };

/** The parameters of a message; `variant` selects the template if there are several. */
export type MessageParameters<M extends Message> = string extends M
  ? MessageValues
  : M extends string
    ? TemplateParameters<M>
    : {
        [Variant in keyof M & string]: { readonly variant: Variant } & TemplateParameters<M[Variant] & string>;
      }[keyof M & string];

type HelpParameters<Help, Variant> = Help extends string
  ? TemplateParameters<Help>
  : Variant extends keyof Help
    ? TemplateParameters<Help[Variant] & string>
    : unknown;

/** The parameters of one kind of finding; `undefined` if it has none. */
export type DiagnosticParameters<Definition extends DiagnosticDeclaration> = Definition extends string
  ? OrNone<TemplateParameters<Definition>>
  : Definition extends Exclude<DiagnosticDeclaration, string>
    ? Definition["message"] extends string
      ? OrNone<
          TemplateParameters<Definition["message"]> &
            (Definition["help"] extends { readonly [variant: string]: string }
              ? { readonly variant: string } & TemplateParameters<Definition["help"][keyof Definition["help"]]>
              : HelpParameters<Definition["help"], undefined>)
        >
      : {
          [Variant in keyof Definition["message"] & string]: { readonly variant: Variant } & TemplateParameters<
            Definition["message"][Variant] & string
          > &
            HelpParameters<Definition["help"], Variant>;
        }[keyof Definition["message"] & string]
    : never;

type OrNone<Parameters> = unknown extends Parameters ? undefined : Parameters;

/** Parameters whose types have been checked against their message. */
export type MessageValues = { readonly [name: string]: unknown } | undefined;

/** The parts of a finding that come from its definition. */
export interface FormattedDiagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly help?: string;
  readonly meant?: string;
  readonly fixed?: true;
  readonly needsAllSpecs?: true;
}

const PLACEHOLDER = /\{([a-zA-Z]\w*)(?::([a-z]+))?\}/gu;

export function completeDefinitions(declared: DiagnosticDeclarations): DiagnosticDefinitions {
  return mapMembers(declared, (each) => ({
    severity: "error",
    ...(typeof each === "string" ? { message: each } : each),
  }));
}

/** Formats the finding `phase/name`. The parameters come from the caller, whose types tie them to the name. */
export function formatDiagnostic(
  phase: string,
  name: string,
  definition: DiagnosticDefinition,
  parameters: unknown,
): FormattedDiagnostic {
  const values = parameters as MessageValues;
  const { severity, message, help, fixed, needsAllSpecs } = definition;
  return {
    code: `${phase}/${name}`,
    severity,
    message: formatMessage(message, values),
    ...dropUndefined({
      help: help && formatHelp(help, values),
      meant: findMeant(message, values),
      fixed,
      needsAllSpecs,
    }),
  };
}

export function formatMessage(message: Message, parameters: MessageValues): string {
  const template = templateOf(message, parameters);
  if (template === undefined) throw new Error(`A message has no variant ${JSON.stringify(parameters?.["variant"])}`);
  return fillIn(template, parameters);
}

/** Returns what a message suggests, if that is one text. */
export function findMeant(message: Message, parameters: MessageValues): string | undefined {
  const [, name = ""] = /\{(\w+):suggestion\}/u.exec(templateOf(message, parameters) ?? "") ?? [];
  const [meant, ...others] = (parameters?.[name] ?? []) as readonly string[];
  return others.length === 0 ? meant : undefined;
}

function formatHelp(help: Message, parameters: MessageValues): string | undefined {
  const template = templateOf(help, parameters);
  if (template === undefined) return undefined;
  const isIncomplete = [...template.matchAll(PLACEHOLDER)].some(
    ([, name = "", format]) => format === "optional" && parameters?.[name] === undefined,
  );
  return isIncomplete ? undefined : fillIn(template, parameters);
}

function templateOf(message: Message, parameters: MessageValues): string | undefined {
  if (typeof message === "string") return message;
  const variant = String(parameters?.["variant"]);
  return own(message, variant);
}

function fillIn(template: string, parameters: MessageValues): string {
  return template.replaceAll(PLACEHOLDER, (_, name: string, format: string | undefined) => {
    const value = parameters?.[name];
    return format === undefined ? onOneLine(String(value)) : applyFormat(format, value);
  });
}

function applyFormat(format: string, value: unknown): string {
  switch (format) {
    case "list":
      return items(value).join(", ");
    case "quoted":
      return items(value)
        .map((item) => `"${item}"`)
        .join(", ");
    case "code":
      return items(value)
        .map((item) => `\`${item}\``)
        .join(", ");
    case "json":
      return excerpt(onOneLine(JSON.stringify(value)));
    case "value":
      return kindOrJson(value);
    case "clauses":
      return nameSome(items(value), MOST_CLAUSES).join(", and ");
    case "excerpt":
      return excerpt(String(value));
    case "clause":
      return onOneLine(String(value).replace(/\.$/u, ""));
    case "lines":
      return String(value);
    case "optional":
      return value === undefined ? "" : onOneLine(String(value));
    case "suggestion":
      return items(value).length === 0
        ? ""
        : ` Did you mean ${items(value)
            .map((item) => `"${excerpt(item)}"`)
            .join(" or ")}?`;
    default:
      throw new Error(`A message uses an unknown format "${format}"`);
  }
}

function kindOrJson(value: unknown): string {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") return `a ${typeof value}`;
  if (isStructured(value)) return Array.isArray(value) ? "a list" : "an object";
  return excerpt(JSON.stringify(value) ?? String(value), 60);
}

const MOST_CLAUSES = 4;

function items(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((item) => onOneLine(String(item))) : [];
}

/** Escapes what could end a line of a report or reorder its text: messages quote names from untrusted specs. */
function onOneLine(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const ESCAPES: { readonly [character: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Shortens a text to one line of at most `most` characters; `…` marks what is omitted. */
export function excerpt(text: string, most = 120): string {
  const line = onOneLine(text.replaceAll(/[\r\n]\s*/gu, " "));
  // A character has at most two units, so this slice holds at least one more than may stay.
  const characters = Array.from(line.slice(0, 2 * (most + 1)));
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}

/** Describes a message for documentation: each template once, with `<name>` for a parameter and without suggestions. */
export function describeMessage(message: Message): readonly string[] {
  const templates = typeof message === "string" ? [message] : Object.values(message);
  return templates.map((template) =>
    template.replaceAll(PLACEHOLDER, (_, name: string, format: string | undefined) =>
      format === "suggestion" ? "" : `<${name}>`,
    ),
  );
}

/** A place in a set of schema documents. */
export interface Origin {
  /** URI of the document as it was given to `flatten` (`""` for the schema passed in). */
  readonly uri: string;
  /** JSON Pointer (RFC 6901) into that document; `""` is its root. */
  readonly pointer: string;
}

/** The severity of a finding. Only `error` forbids using the result. */
export type Severity = "error" | "warning" | "info";

/** One finding about a schema: data, never an exception. */
export interface SchemaDiagnostic {
  /** Stable id such as `schema/unsatisfiable`. */
  readonly code: string;
  readonly severity: Severity;
  /** One sentence that says what is wrong and what to do. */
  readonly message: string;
  /** The name or value that the author most likely meant, if there is one. */
  readonly meant?: string;
  readonly origin: Origin;
  /** The other places that take part (the second cause of a contradiction, the members of a cycle). */
  readonly related?: readonly { readonly origin: Origin; readonly message: string }[];
}
