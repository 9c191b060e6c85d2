import { readProgramName, readCommandLine } from "@hasp/base/declared";
import { own } from "@hasp/base/json";
import type { Effect, Happening } from "@hasp/compiler/handlers";
import { findClientEffect, HTTP_CLIENTS } from "./http-clients.js";
import { DRY_OPTIONS, KNOWN_PROGRAMS, type KnownProgram, LOCAL_READERS, LOCAL_WRITERS } from "./known-programs.js";
import { findProgramTexts } from "./program-text.js";

/** Finds a command's effects from its program and first words. Unknown commands neither support nor refute a claim. */
export function findCommandEffects({ argv }: { readonly argv: readonly string[] }): readonly Effect[] {
  const { start, separator } = readCommandLine(argv);
  const [program, ...words] = argv.slice(start);
  if (program === undefined) return [];
  const found = findEffect(program, words, words.slice(0, separator - start - 1));
  if (found === undefined) return [];
  // A wrapper may change what the command does, so it no longer counts as reading.
  if (start > 0 && found.verdict === "reads") return [];
  const { word, ...happening } = found;
  return [{ ...happening, at: `/argv/${start + word}` }];
}

type CommandEffect = Happening & { readonly word: number };

/** Finds a program's effect; `beforeEnd` are the words that it may take for options. */
function findEffect(path: string, words: readonly string[], beforeEnd: readonly string[]): CommandEffect | undefined {
  if (hasPlaceholder(path)) return { verdict: "writes", reason: "runs whatever program the call names", word: 0 };
  const name = readProgramName(path);
  const script = findScript(path, words);
  if (script !== undefined) return script;
  const isInPath = name === path || /^(?:\/usr)?\/bin\//u.test(path);
  const effect = findClientCall(name, words) ?? knownEffect(name, words, beforeEnd);
  // Any file may bear the name of a reading program.
  if (effect === undefined || !isInPath) return effect?.verdict === "reads" ? undefined : effect;
  const local = effect.verdict === "reads" ? LOCAL_READERS : LOCAL_WRITERS;
  const isLocal = local.has(name) || local.has(`${name} ${words[effect.word - 1] ?? ""}`);
  return isLocal ? { ...effect, isLocal: true } : effect;
}

function findClientCall(name: string, words: readonly string[]): CommandEffect | undefined {
  const client = own(HTTP_CLIENTS, words[0] === "api" ? `${name} api` : name);
  const found = client && findClientEffect(client, words);
  return found && { ...found, reason: `calls ${name}, which ${found.reason}` };
}

function findScript(path: string, words: readonly string[]): CommandEffect | undefined {
  const text = findProgramTexts(path, words).find(({ at }) => hasPlaceholder(words[at] ?? ""));
  if (text === undefined) return undefined;
  return { verdict: "writes", reason: `lets ${text.program} run a program that the call writes`, word: text.at + 1 };
}

function knownEffect(name: string, words: readonly string[], beforeEnd: readonly string[]): CommandEffect | undefined {
  const program = own(KNOWN_PROGRAMS, name);
  if (program === undefined) return undefined;
  const subcommand = findSubcommand(program, words);
  if (subcommand === "chosen by the call") {
    return { verdict: "writes", reason: `runs whatever command of ${name} the call names`, word: 1 };
  }
  if (subcommand === undefined) return undefined;
  const { kind, label, at, from, plain } = subcommand;
  const command = label === "" ? name : `${name} ${label}`;
  const options = optionsIn(beforeEnd);
  const option = (list: string | undefined): string | undefined => findFirst(options, list);
  if (kind !== "reads" && option(DRY_OPTIONS) !== undefined) return undefined;
  const destroying = option(program.destroyingOptions);
  if (destroying !== undefined && (kind !== "reads" || label === "")) {
    return { verdict: "writes", destructive: true, reason: `runs ${command} ${destroying}`, word: at };
  }
  const spares = beforeEnd.some((word) => program.sparingOptions?.split(" ").includes(word.replace(/=.*/su, "")));
  const hasDestroyingWords = own(program.destroyingWords ?? {}, label)?.test(words.slice(at).join(" ")) === true;
  if ((kind === "destroys" && !spares) || hasDestroyingWords) {
    return { verdict: "writes", destructive: true, reason: `runs ${command}`, word: at };
  }
  if (kind === "writes" || kind === "destroys") {
    return { verdict: "writes", reason: `runs ${command}, which changes something`, word: at };
  }
  const writing = option(program.writingOptions);
  if (writing !== undefined) {
    return { verdict: "writes", reason: `runs ${command} ${writing}, which writes a file`, word: at };
  }
  const global = readOptions(program.plainOptions ?? "");
  const all = new Map([...global, ...readOptions(plain)]);
  const arePlain = beforeEnd.every((word, index) => isPlain(word, index < from ? global : all, beforeEnd[index + 1]));
  if (kind !== "reads" || !arePlain) return undefined;
  return { verdict: "reads", reason: `runs ${command}, which only reads`, word: at };
}

interface Subcommand {
  readonly kind: "reads" | "writes" | "destroys" | "unknown";
  readonly label: string;
  readonly at: number;
  /** Number of words before it, all of them the program's own options. */
  readonly from: number;
  /** Its plain options; empty unless it reads. */
  readonly plain: string;
}

/** Finds the subcommand behind the program's own options; `undefined` if one of those is unknown. */
function findSubcommand(
  program: KnownProgram,
  words: readonly string[],
): Subcommand | "chosen by the call" | undefined {
  const find = (label: string, from: number, at: number): Subcommand | undefined => {
    const reading = Object.entries(program.reads ?? {}).find(([labels]) => labels.split(",").includes(label));
    if (reading !== undefined) return { kind: "reads", label, at, from, plain: reading[1] };
    const kind = (["writes", "destroys"] as const).find((each) => program[each]?.split(",").includes(label) === true);
    return kind === undefined ? undefined : { kind, label, at, from, plain: "" };
  };
  const only = find("-", 0, 0);
  if (only !== undefined) return { ...only, label: "" };
  const { reads, writes, destroys } = program;
  if ([reads, writes, destroys].every((list) => list === undefined)) {
    return { kind: "unknown", label: "", at: 0, from: 0, plain: "" };
  }
  const options = readOptions(`${program.plainOptions ?? ""} ${program.otherOptions ?? ""}`);
  let index = 0;
  for (let word = words[index]; word?.startsWith("-") === true; word = words[index]) {
    const [name = word] = word.split("=");
    const value = options.get(name);
    if (value === undefined) return undefined;
    index += value === "" || word !== name ? 1 : 2;
  }
  const [first = "", second = ""] = words.slice(index, index + 2);
  if (first !== "" && hasPlaceholder(first)) return "chosen by the call";
  return find(`${first} ${second}`, index, index + 2) ?? find(first, index, index + 1);
}

/** Options by name, each with the values that leave it plain: none, fixed ones (`:`) or any (`=`). */
type Options = ReadonlyMap<string, string>;

function readOptions(list: string): Options {
  return new Map(list.split(" ").map((option) => [option.replace(/[:=]$/u, ""), /[:=]$/u.exec(option)?.[0] ?? ""]));
}

/** True for an operand, and for an option that leaves a reading command read-only, whatever its value. */
function isPlain(word: string, options: Options, next = ""): boolean {
  if (!/^-./u.test(word)) return true;
  if (/^-\d+$/u.test(word) && options.has("-#")) return true;
  const isHarmless = (kind: string, value: string): boolean => kind === "=" || !hasPlaceholder(value);
  const [, name = word, attached] = /^(-[^=]*)=(.*)$/su.exec(word) ?? [];
  const whole = options.get(name);
  if (whole !== undefined) return isHarmless(whole, attached ?? (whole === "" ? "" : next));
  if (word.startsWith("--")) return false;
  // Bundled letters; the rest after a letter with a value is that value.
  for (const [index, letter] of word.slice(1).split("").entries()) {
    const kind = options.get(`-${letter}`);
    if (kind === undefined) return false;
    const rest = word.slice(index + 2);
    if (kind !== "") return isHarmless(kind, rest === "" ? next : rest);
  }
  return true;
}

function optionsIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    if (!word.startsWith("-")) return [];
    const name = word.replace(/[={].*/su, "");
    const letters = /^-[a-zA-Z]{2,}$/u.test(name)
      ? name
          .slice(1)
          .split("")
          .map((letter) => `-${letter}`)
      : [];
    return [name, ...letters];
  });
}

/** Finds the first option of a list, also abbreviated, as GNU programs allow. */
function findFirst(options: readonly string[], list: string | undefined): string | undefined {
  const names = list?.split(" ") ?? [];
  return options.find((option) =>
    names.some((name) => name === option || (/^--../u.test(option) && name.startsWith(option))),
  );
}

function hasPlaceholder(word: string): boolean {
  return /\{[^{}]+\}/u.test(word);
}
