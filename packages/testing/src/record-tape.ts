import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { canonicalText } from "@hasp/base/json";
import type { ToolContent, AnyTool, DispatcherExtension } from "@hasp/runtime";
import {
  removeSecrets,
  LONGEST_SECRET,
  Redactor,
  SECRET,
  SecretPatterns,
  aBoolean,
  checkShape,
} from "@hasp/runtime/internal";
import { type TapedCall, type TapedOutcome, tapeExtension } from "./tape.js";
import { readTape, toEntry, withoutAnnotations, type TapeContents, type TapeEntry } from "./tape-file.js";

export interface RecordTapeOptions {
  /** Adds the time of each call's end. Default false: a tape changes only if the calls do. */
  readonly time?: boolean | undefined;
  /** Appends to an existing tape. Default false: creating the dispatcher starts a new tape. */
  readonly append?: boolean | undefined;
}

/**
 * Records the calls of one dispatcher to a file: each call whose handler was started, with the outcome that the handler
 * gave. Secrets are never on tape: fields that their schema marks, and wherever they occur, the values of such fields and
 * the secrets of connections. A tape that cannot be written costs no call its result; it says that it is incomplete.
 */
export function recordTape(
  file: string,
  options: RecordTapeOptions = {},
): DispatcherExtension<undefined> & {
  /** Begins the tape now, and not as the dispatcher is created. Throws if the file cannot be written, or is damaged. */
  open(): void;
} {
  checkShape(options, { time: aBoolean, append: aBoolean }, "", (path, what) => {
    throw new TypeError(`recordTape: ${path} ${what}.`);
  });
  const recording = new Recording(file, options);
  return Object.freeze({
    ...tapeExtension({
      begin: () => recording.begin(),
      record: (call: TapedCall, outcome: TapedOutcome) => recording.record(call, outcome),
      hide: (secret: string) => recording.hide(secret),
    }),
    open: () => recording.open(),
  });
}

class Recording {
  readonly #file: string;
  readonly #options: RecordTapeOptions;
  readonly #patterns = new SecretPatterns();
  readonly #secrets = new Redactor(this.#patterns, Infinity, SECRET);
  readonly #known = new Set<string>();
  /** Secrets that the file may still hold: a value may turn out to be one after it was written. */
  #fresh: Redactor | undefined;
  readonly #schemas = new Map<string, string>();
  #order = 0;
  #isTaken = false;
  #output: TapeOutput | undefined;

  constructor(file: string, options: RecordTapeOptions) {
    this.#file = file;
    this.#options = options;
  }

  begin(): void {
    if (this.#isTaken) {
      throw new TypeError(`recordTape: ${this.#file} records another dispatcher. Call recordTape once for each.`);
    }
    this.#isTaken = true;
    this.open();
  }

  open(): void {
    if (this.#output !== undefined) return;
    mkdirSync(dirname(this.#file), { recursive: true });
    const earlier = this.#options.append === true ? readIfThere(this.#file) : undefined;
    this.#output = new TapeOutput(this.#file, earlier !== undefined);
    if (earlier === undefined) return this.#output.replace(EMPTY);
    const contents = readTape(earlier, this.#file);
    for (const [name, schema] of contents.tools) this.#schemas.set(name, canonicalText(schema));
    this.#order = contents.entries.reduce((most, { order }) => Math.max(most, order), 0);
    // Somebody may have reformatted the file.
    if (!earlier.endsWith("}\n")) this.#output.replace(toText(contents));
  }

  hide(secret: string, parts?: readonly string[]): void {
    if (this.#known.has(secret)) return;
    this.#known.add(secret);
    this.#secrets.add(secret, parts);
    this.#fresh ??= new Redactor(this.#patterns, Infinity, SECRET);
    this.#fresh.add(secret, parts);
  }

  record({ tool, input }: TapedCall, outcome: TapedOutcome): () => void {
    this.#order += 1;
    const order = this.#order;
    const at = this.#options.time === true ? { at: new Date().toISOString() } : {};
    const { output } = outcome;
    const shown = {
      input: this.#withoutMarked(input, tool.input, tool),
      ...(output !== undefined && { output: this.#withoutMarked(output, tool.output ?? true, tool) }),
    };
    return () => this.#write(tool, { ...toEntry(tool, input, outcome, order), ...at, ...shown });
  }

  /** Hides the fields that a schema marks, and learns their values. */
  #withoutMarked(value: JsonValue, schema: JsonSchema, tool: AnyTool): JsonValue {
    const { value: shown, secrets } = removeSecrets(value, schema, tool);
    for (const secret of secrets) this.hide(secret, secret.length > LONGEST_SECRET ? [secret] : undefined);
    return shown;
  }

  #write(tool: AnyTool, entry: TapeEntry): void {
    const output = this.#output;
    if (output === undefined || output.isOver) return;
    const fresh = this.#fresh;
    this.#fresh = undefined;
    const before = fresh === undefined ? EMPTY : output.read();
    if (fresh !== undefined && fresh.text(before) !== before) {
      const { tools, entries } = readTape(before, this.#file);
      output.replaceWithoutSecrets(toText({ tools, entries: entries.map((each) => hideIn(each, this.#secrets)) }));
    }
    const schema = canonicalText(withoutAnnotations(tool.input));
    const isKnown = this.#schemas.get(tool.name) === schema;
    // The first header takes the place of the empty one.
    const isFirst = this.#schemas.size === 0 && this.#options.append !== true;
    this.#schemas.set(tool.name, schema);
    const header = isKnown ? "" : headerLine({ [tool.name]: JSON.parse(schema) as JsonValue });
    output.append(header + entryLine(hideIn(entry, this.#secrets)), isFirst);
  }
}

function headerLine(tools: JsonObject): string {
  return `${JSON.stringify({ tape: 1, tools })}\n`;
}

function entryLine({ input, ...entry }: TapeEntry): string {
  const { tool, ...rest } = entry;
  // Sorted, because models order members as they like.
  return `${JSON.stringify({ tool, input: JSON.parse(canonicalText(input)) as JsonValue, ...rest })}\n`;
}

function toText({ tools, entries }: TapeContents): string {
  return headerLine(Object.fromEntries(tools)) + entries.map(({ line: _line, ...entry }) => entryLine(entry)).join("");
}

const EMPTY = headerLine({});

function hideIn<Entry extends TapeEntry>(entry: Entry, secrets: Redactor): Entry {
  const { input, output, content, details, error } = entry;
  const hidden = <Value>(value: Value): Value => secrets.value(value) as Value;
  return {
    ...entry,
    input: hidden(input),
    ...(output !== undefined && { output: hidden(output) }),
    ...(content && { content: content.map((block) => hideInBlock(block, hidden)) }),
    ...(details !== undefined && { details: hidden(details) }),
    ...(error && { error: { ...error, message: hidden(error.message) } }),
  };
}

function hideInBlock({ type, ...parts }: ToolContent, hidden: <Value>(value: Value) => Value): ToolContent {
  const values = Object.entries(parts).map(([name, value]) => [name, hidden(value)]);
  return { type, ...Object.fromEntries(values) } as ToolContent;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The file of a recording. After a failed write it takes nothing more, and ends within a line. */
class TapeOutput {
  readonly #file: string;
  readonly #isShared: boolean;
  #descriptor: number | undefined;
  #length = 0;
  isOver = false;

  /** A shared file takes the lines of several processes, one whole line after the other. */
  constructor(file: string, isShared: boolean) {
    this.#file = file;
    this.#isShared = isShared;
  }

  read(): string {
    return readFileSync(this.#file, "utf8");
  }

  /** Begins a file of its own, so that two processes that record to one path never write into each other's lines. */
  replace(text: string): void {
    const begun = `${this.#file}.${process.pid}.tmp`;
    this.#close();
    try {
      this.#descriptor = openSync(begun, "w+");
      this.#write(this.#descriptor, text, 0);
      renameSync(begun, this.#file);
    } catch (error) {
      this.isOver = true;
      this.#close();
      rmSync(begun, { force: true });
      throw this.#incomplete((error as Error).message, error);
    }
    if (this.#isShared) this.#close();
  }

  /** Leaves no file with secrets, even if there is no room for the other text. */
  replaceWithoutSecrets(text: string): void {
    try {
      this.replace(text);
    } catch (error) {
      truncateSync(this.#file);
      throw error;
    }
  }

  append(text: string, isFirst: boolean): void {
    this.#descriptor ??= openSync(this.#file, "a");
    if (!this.#isShared) this.#assertOwn(this.#descriptor);
    try {
      this.#write(this.#descriptor, text, isFirst ? 0 : this.#length);
    } catch (error) {
      this.#end(this.#descriptor);
      throw this.#incomplete((error as Error).message, error);
    }
    // Another process may replace the file.
    if (this.#isShared) this.#close();
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #write(descriptor: number, text: string, start: number): void {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length;) {
      const position = this.#isShared ? null : start + written;
      written += writeSync(descriptor, bytes, written, bytes.length - written, position);
    }
    this.#length = start + bytes.length;
  }

  #assertOwn(descriptor: number): void {
    const { ino } = fstatSync(descriptor);
    if (ino === statSync(this.#file, { throwIfNoEntry: false })?.ino) return;
    this.isOver = true;
    throw this.#incomplete("another process replaced or removed the file", undefined);
  }

  #incomplete(reason: string, cause: unknown): Error {
    const text = `The tape ${this.#file} is incomplete, and takes no more calls: ${reason}. Record it again.`;
    return new Error(text, { cause });
  }

  /** Leaves a file that ends within a line. That works on a full disk, too: nothing grows. */
  #end(descriptor: number): void {
    this.isOver = true;
    try {
      if (!this.#isShared) ftruncateSync(descriptor, this.#length);
      const marked = openSync(this.#file, "r+");
      writeSync(marked, "{", fstatSync(marked).size - 1);
      closeSync(marked);
    } catch {
      // The error that follows tells the host.
    }
  }
}
