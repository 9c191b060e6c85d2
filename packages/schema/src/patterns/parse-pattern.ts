/** A regular expression as a tree. Groups are dissolved, since captures are not used. */
export type PatternNode =
  | { readonly kind: "character"; readonly source: string }
  | { readonly kind: "start" | "end" | "boundary" | "notBoundary" }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly part: PatternNode; readonly least: number; readonly most: number }
  | {
      readonly kind: "look";
      readonly part: PatternNode;
      readonly isBehind: boolean;
      readonly isNegative: boolean;
    };

export type PatternInstruction =
  | Exclude<PatternNode, { readonly kind: "sequence" | "choice" | "repeat" }>
  | { readonly kind: "match" }
  /** Goes on at each of the instructions, counted from here. */
  | { readonly kind: "jump"; readonly targets: readonly number[] };

const MAX_DEPTH = 200;

/** Parses a valid Unicode pattern; `undefined` if matching it may not be linear, or it is unsupported. */
export function parsePattern(pattern: string): PatternNode | undefined {
  return new Parser(pattern).parse();
}

/** Mirrors a pattern: the result matches a text from its end to its beginning. */
export function mirror(node: PatternNode): PatternNode {
  switch (node.kind) {
    case "start":
      return { kind: "end" };
    case "end":
      return { kind: "start" };
    case "sequence":
      return { kind: "sequence", parts: node.parts.map(mirror).toReversed() };
    case "choice":
      return { kind: "choice", parts: node.parts.map(mirror) };
    case "repeat":
      return { ...node, part: mirror(node.part) };
    case "look":
      return { ...node, part: mirror(node.part), isBehind: !node.isBehind };
    default:
      return node;
  }
}

/** Compiles a pattern to instructions; `undefined` if they are more than `most`. */
export function compilePattern(tree: PatternNode, most: number): readonly PatternInstruction[] | undefined {
  const program: PatternInstruction[] = [];
  return emit(tree, program, most) ? [...program, { kind: "match" }] : undefined;
}

function emit(node: PatternNode, program: PatternInstruction[], limit: number): boolean {
  if (program.length > limit) return false;
  const jump = (targets: number[]): { readonly from: number; readonly targets: number[] } => ({
    from: program.push({ kind: "jump", targets }) - 1,
    targets,
  });
  switch (node.kind) {
    case "sequence":
      return node.parts.every((part) => emit(part, program, limit));
    case "choice": {
      const fork = jump([]);
      const ends = [];
      for (const part of node.parts) {
        fork.targets.push(program.length - fork.from);
        if (!emit(part, program, limit)) return false;
        ends.push(jump([]));
      }
      for (const end of ends) end.targets.push(program.length - end.from);
      return true;
    }
    case "repeat": {
      const { part, least, most } = node;
      for (let count = 0; count < least; count++) if (!emit(part, program, limit)) return false;
      const skips = [];
      for (let count = 0; count < (most === Infinity ? 1 : most - least); count++) {
        const skip = jump([1]);
        if (!emit(part, program, limit)) return false;
        if (most === Infinity) jump([skip.from - program.length]);
        skips.push(skip);
      }
      for (const skip of skips) skip.targets.push(program.length - skip.from);
      return true;
    }
    default:
      program.push(node);
      return true;
  }
}

/** True for an empty sequence. Repeating one would cost time and add no instruction that counts. */
function isEmpty(node: PatternNode): boolean {
  return node.kind === "sequence" && node.parts.length === 0;
}

class Parser {
  readonly #pattern: string;
  #at = 0;
  #depth = 0;
  #isSupported = true;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  parse(): PatternNode | undefined {
    const tree = this.#choice();
    return this.#isSupported && this.#at === this.#pattern.length ? tree : undefined;
  }

  #choice(): PatternNode {
    const parts = [this.#sequence()];
    while (this.#takes("|")) parts.push(this.#sequence());
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "choice", parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#isSupported && this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern.charAt(this.#at))) {
      const part = this.#repeated(this.#atom());
      if (!isEmpty(part)) parts.push(part);
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "sequence", parts };
  }

  #takes(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#pattern) ?? undefined;
    this.#at += match?.[0].length ?? 0;
    return match;
  }

  #repeated(part: PatternNode): PatternNode {
    const match = this.#match(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy);
    if (match === undefined || isEmpty(part)) return part;
    const [, sign, least = "", comma, most = ""] = match;
    if (sign === "*") return { kind: "repeat", part, least: 0, most: Infinity };
    if (sign === "+") return { kind: "repeat", part, least: 1, most: Infinity };
    if (sign === "?") return { kind: "repeat", part, least: 0, most: 1 };
    const limit = comma === undefined ? Number(least) : most === "" ? Infinity : Number(most);
    if (limit === 0) return { kind: "sequence", parts: [] };
    return { kind: "repeat", part, least: Number(least), most: limit };
  }

  #atom(): PatternNode {
    if (this.#takes("^")) return { kind: "start" };
    if (this.#takes("$")) return { kind: "end" };
    if (this.#takes("\\b")) return { kind: "boundary" };
    if (this.#takes("\\B")) return { kind: "notBoundary" };
    const look = this.#match(/\(\?(<?)([=!])/uy);
    if (look !== undefined) {
      return { kind: "look", part: this.#group(), isBehind: look[1] === "<", isNegative: look[2] === "!" };
    }
    if (this.#match(/\((?:\?:|\?<[^=!>][^>]*>|(?!\?))/uy) !== undefined) return this.#group();
    if (/^\\(?:[1-9]|k)/u.test(this.#pattern.slice(this.#at, this.#at + 2))) return this.#unsupported();
    const character = this.#match(
      /\[(?:[^\]\\]|\\.)*\]|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|.)|[^()[\\*+?{}|]/suy,
    );
    return character === undefined ? this.#unsupported() : { kind: "character", source: character[0] };
  }

  #group(): PatternNode {
    if (++this.#depth > MAX_DEPTH) return this.#unsupported();
    const inner = this.#choice();
    this.#depth--;
    return this.#takes(")") ? inner : this.#unsupported();
  }

  #unsupported(): PatternNode {
    this.#isSupported = false;
    return { kind: "start" };
  }
}
