import { readFileSync } from "node:fs";
import { join } from "node:path";
import PACKAGES from "../../packages/hasp/scripts/packages.json" with { type: "json" };
import { commands } from "../../packages/hasp/src/cli/commands.js";
import { describeProgram } from "../../packages/hasp/src/cli/main.js";
import { splitCommand } from "../../packages/import/src/sources/split-command.js";

const repository = join(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
  readonly packageManager: string;
  readonly scripts: object;
};
const published = PACKAGES.map((name) => (name === "hasp" ? name : `@hasp/${name}`));

/** Reads the words of a command line as `hasp` would, and runs nothing. Gives what hasp says about a wrong one. */
async function problemOfHasp(words: readonly string[]): Promise<string> {
  let said = "";
  const say = (text: string): void => void (said += text);
  const program = await describeProgram(words, { out: say, error: say }, async () => undefined);
  try {
    await program.parseAsync([...words], { from: "user" });
    return "";
  } catch (error) {
    return said || String(error);
  }
}

/** The commands of Git that readers are shown. */
const GIT: ReadonlySet<string> = new Set(["add", "commit", "init", "merge"]);

/** Finds the mistake in a command line that a reader is to type; empty if there is none. */
export async function problemOfCommand(line: string): Promise<string> {
  const words = splitCommand(line) ?? [];
  const [first, ...rest] =
    words[0] === "npx" && words[1] === "--yes" ? words.slice(2) : words[0] === "npx" ? words.slice(1) : words;
  if (first === "hasp") return problemOfHasp(rest);
  if (first === "npm" && rest[0] === "install") {
    const unknown = rest.slice(1).filter((word) => !word.startsWith("-") && !published.includes(word));
    return unknown.length === 0 ? "" : `nobody publishes ${unknown.join(", ")} here`;
  }
  if (first?.startsWith("pnpm") === true) {
    if (first.includes("@") && first !== manifest.packageManager) {
      return `the package manager is ${manifest.packageManager}`;
    }
    return Object.hasOwn(manifest.scripts, rest[0] ?? "") ? "" : `package.json has no script ${rest[0]}`;
  }
  if (first === "git") return GIT.has(rest[0] ?? "") ? "" : `a page of hasp should not need "git ${rest[0]}"`;
  return `nothing is known of "${first}"`;
}

/** Every command, and every verb after its command, with the options that it takes, its own and everybody's. */
export async function knownOptions(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const names = commands.map(({ name }) => name);
  const silent = { out: () => undefined, error: () => undefined };
  const program = await describeProgram(names, silent, async () => undefined);
  const flagsOf = ({ options }: Pick<typeof program, "options">): readonly string[] =>
    options.flatMap(({ long, short }) => [long, short].filter((flag) => typeof flag === "string"));
  const common = [...flagsOf(program), "--help", "-h"];
  const described = program.commands.flatMap((command) => [
    [command.name(), command] as const,
    ...command.commands.map((verb) => [`${command.name()} ${verb.name()}`, verb] as const),
  ]);
  return new Map(described.map(([name, command]) => [name, new Set([...common, ...flagsOf(command)])]));
}

/** Finds the mistake in a command in running text, in which `[…]`, `<…>` and `a|b` stand for what a reader chooses. */
export function problemOfMention(mention: string, known: ReadonlyMap<string, ReadonlySet<string>>): string {
  const words = mention
    .replaceAll(/[[\]]/g, " ")
    .split(/\s+/u)
    .filter((word) => word !== "" && word !== "npx");
  const [program, command = "", ...rest] = words;
  if (program !== "hasp" || command === "" || command.startsWith("-") || command === "…") return "";
  const verb = `${command} ${rest[0] ?? ""}`;
  const name = known.has(verb) ? verb : command;
  const options = known.get(name);
  if (options === undefined) return `there is no command ${name}`;
  const unknown = rest
    .flatMap((word) => word.split("|"))
    .filter((word) => /^--?[a-z]/u.test(word) && !options.has(word.replace(/=.*$/u, "")));
  return unknown.length === 0 ? "" : `hasp ${name} has no ${unknown.join(", ")}`;
}
