import { own } from "../../model/own.js";
import type { Effect, Happening } from "../base/effect.js";
import { clientEffect, HTTP_CLIENTS } from "./http-clients.js";
import { DRY_OPTIONS, KNOWN_PROGRAMS, WRAPPERS, type KnownProgram } from "./known-programs.js";
import { programTextsIn } from "./program-text.js";

/**
 * Tells what a command does, as far as its program and first words are known. An unknown command has no effects: no claim
 * contradicts it, and none is suggested.
 */
export function commandEffects({ argv }: { readonly argv: readonly string[] }): readonly Effect[] {
  const start = startOfCommand(argv);
  const [program, ...words] = argv.slice(start);
  if (program === undefined) return [];
  const found = effectOf(program, words);
  if (found === undefined) return [];
  // What is around a command may change what it does, so that it is no longer known to read.
  if (start > 0 && found.verdict === "reads") return [];
  const { word, ...happening } = found;
  return [{ ...happening, at: `/argv/${start + word}` }];
}

/** What happens, and the index of the argument that shows it; 0 is the program. */
type CommandEffect = Happening & { readonly word: number };

function effectOf(path: string, words: readonly string[]): CommandEffect | undefined {
  if (hasPlaceholder(path)) return { verdict: "writes", reason: "runs whatever program the call names", word: 0 };
  const name = path.replace(/^.*\//u, "");
  const script = scriptOf(path, words);
  if (script !== undefined) return script;
  const isInPath = name === path || /^(?:\/usr)?\/bin\//u.test(path);
  const effect = clientCallOf(name, words) ?? knownEffect(name, words);
  // Any file may have the name of a program that reads.
  return effect?.verdict === "reads" && !isInPath ? undefined : effect;
}

/** The index of the first word behind `sudo`, `env A=b`, `timeout 5` and their like. */
export function startOfCommand(argv: readonly string[]): number {
  let index = 0;
  let wrapper: ReadonlySet<string> | undefined;
  for (let word = argv[index]; word !== undefined; word = argv[index]) {
    const next = WRAPPERS.get(word.replace(/^.*\//u, ""));
    if (next !== undefined) wrapper = next;
    else if (wrapper === undefined || !/^-|^[A-Za-z_]\w*=|^\d+(?:\.\d+)?[smhd]?$/u.test(word)) break;
    index += wrapper?.has(word) === true ? 2 : 1;
  }
  return index;
}

function clientCallOf(name: string, words: readonly string[]): CommandEffect | undefined {
  const client = own(HTTP_CLIENTS, words[0] === "api" ? `${name} api` : name);
  const found = client === undefined ? undefined : clientEffect(client, words);
  return found === undefined ? undefined : { ...found, reason: `calls ${name}, which ${found.reason}` };
}

function scriptOf(path: string, words: readonly string[]): CommandEffect | undefined {
  const text = programTextsIn(path, words).find(({ at }) => hasPlaceholder(words[at] ?? ""));
  if (text === undefined) return undefined;
  return { verdict: "writes", reason: `lets ${text.program} run a program that the call writes`, word: text.at + 1 };
}

function knownEffect(name: string, words: readonly string[]): CommandEffect | undefined {
  const program = own(KNOWN_PROGRAMS, name);
  if (program === undefined) return undefined;
  const subcommand = subcommandOf(program, words);
  if (subcommand === "chosen by the call") {
    return { verdict: "writes", reason: `runs whatever command of ${name} the call names`, word: 1 };
  }
  if (subcommand === undefined) return undefined;
  const { kind, label, at } = subcommand;
  const command = label === "" ? name : `${name} ${label}`;
  const options = optionsIn(words);
  const option = (list: string | undefined): string | undefined => firstOf(options, list);
  if (kind !== "reads" && option(DRY_OPTIONS) !== undefined) return undefined;
  const destroying = option(program.destroyingOptions);
  if (destroying !== undefined && (kind !== "reads" || label === "")) {
    return { verdict: "writes", destructive: true, reason: `runs ${command} ${destroying}`, word: at };
  }
  if (kind === "destroys") return { verdict: "writes", destructive: true, reason: `runs ${command}`, word: at };
  if (kind === "writes") return { verdict: "writes", reason: `runs ${command}, which changes something`, word: at };
  const writing = option(program.writingOptions);
  if (writing !== undefined) {
    return { verdict: "writes", reason: `runs ${command} ${writing}, which writes a file`, word: at };
  }
  if (kind !== "reads" || option(program.doubtfulOptions) !== undefined || options.includes("")) return undefined;
  return { verdict: "reads", reason: `runs ${command}, which only reads`, word: at };
}

interface Subcommand {
  readonly kind: "reads" | "writes" | "destroys" | "unknown";
  readonly label: string;
  /** The index of its last word; 0 is the program. */
  readonly at: number;
}

/** Finds the subcommand behind the options of the program itself; `undefined` where one of those is not known. */
function subcommandOf(program: KnownProgram, words: readonly string[]): Subcommand | "chosen by the call" | undefined {
  const kinds = ["reads", "writes", "destroys"] as const;
  const kindOf = (label: string): Subcommand["kind"] | undefined =>
    kinds.find((kind) => program[kind]?.split(",").includes(label) === true);
  const only = kindOf("-") ?? (kinds.every((kind) => program[kind] === undefined) ? "unknown" : undefined);
  if (only !== undefined) return { kind: only, label: "", at: 0 };
  let index = 0;
  for (let word = words[index]; word?.startsWith("-") === true; word = words[index]) {
    const name = word.replace(/=.*$/u, "");
    if (isOneOf(name, program.optionsWithValue)) index += word === name ? 2 : 1;
    else if (isOneOf(name, program.plainOptions)) index += 1;
    else return undefined;
  }
  const [first = "", second = ""] = words.slice(index, index + 2);
  if (first !== "" && hasPlaceholder(first)) return "chosen by the call";
  const two = kindOf(`${first} ${second}`);
  if (two !== undefined) return { kind: two, label: `${first} ${second}`, at: index + 2 };
  const one = kindOf(first);
  return one === undefined ? undefined : { kind: one, label: first, at: index + 1 };
}

/** The names of the options before `--`: of `-abc` each letter, and `""` for one whose name the call chooses. */
function optionsIn(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  return words.slice(0, end === -1 ? undefined : end).flatMap((word) => {
    if (!word.startsWith("-")) return [];
    const name = word.replace(/=.*$/u, "");
    if (hasPlaceholder(name)) return /^-[a-zA-Z]\{/u.test(name) ? [name.slice(0, 2)] : [""];
    const letters = /^-[a-zA-Z]{2,}$/u.test(name)
      ? name
          .slice(1)
          .split("")
          .map((letter) => `-${letter}`)
      : [];
    return [name, ...letters];
  });
}

/** The first option of a list, also if its name is cut short, as programs of GNU allow. */
function firstOf(options: readonly string[], list: string | undefined): string | undefined {
  const names = list?.split(" ") ?? [];
  return options.find((option) =>
    names.some((name) => name === option || (/^--../u.test(option) && name.startsWith(option))),
  );
}

function isOneOf(word: string, list: string | undefined): boolean {
  return list?.split(" ").includes(word) === true;
}

function hasPlaceholder(word: string): boolean {
  return /\{[^{}]+\}/u.test(word);
}
