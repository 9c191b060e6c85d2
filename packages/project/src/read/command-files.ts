import { posix } from "node:path";
import type { CompilePlan } from "@hasp/compiler";
import { declarationOf, findConnectionName, type LoadedDocument, listDeclaredTools } from "@hasp/compiler/model";
import { readCommandLine, readProgramName } from "@hasp/base/declared";
import { isList, isObject, type JsonObject, type JsonValue, own, readOwnMember } from "@hasp/base/json";
import { builtInPlugins } from "../plugins/built-in.js";
import type { CompilerHost } from "./host-questions.js";
import type { ImportResolver } from "./resolve-imports.js";

/**
 * Finds the files of the repository that the commands of declared handlers and of their connections name, by tool.
 * Leaves out files that git ignores: they exist on this machine only.
 */
export async function findCommandFiles(
  host: CompilerHost,
  resolver: ImportResolver,
  specs: readonly LoadedDocument[],
  { connections = {} }: CompilePlan,
): Promise<NonNullable<CompilePlan["commandFiles"]>> {
  const named = new Map<string, readonly string[]>();
  for (const { name, spec } of listDeclaredTools(specs)) {
    const found: string[] = [];
    for (const command of listCommands(spec, connections)) found.push(...(await findNamedFiles(command, resolver)));
    if (found.length > 0) named.set(name, [...new Set(found)].toSorted());
  }
  if (named.size === 0) return {};
  const ignored = new Set(await host.ask("ignored", [...new Set([...named.values()].flat())]));
  const kept = Array.from(named, ([name, paths]) => [name, paths.filter((path) => !ignored.has(path))] as const);
  return Object.fromEntries(kept.filter(([, paths]) => paths.length > 0));
}

interface Command {
  readonly argv: readonly string[];
  readonly cwd: JsonValue | undefined;
}

/** Lists the commands of a tool's handler and of its connection, as far as the unchecked spec has the form of one. */
function listCommands(spec: JsonValue, connections: NonNullable<CompilePlan["connections"]>): readonly Command[] {
  const handler: JsonValue | undefined = readOwnMember(spec, "handler");
  const declared = isObject(handler)
    ? declarationOf({ handler: handler as { [kind: string]: JsonObject } })
    : undefined;
  if (declared === undefined || !isObject(declared.declaration)) return [];
  const { key, declaration } = declared;
  const member = builtInPlugins.handlerKinds.findFormats(key)?.command;
  if (member === undefined) return [];
  const connection = findConnectionName(declared);
  const settings = connection === undefined ? undefined : own(connections, connection)?.[key];
  return [declaration, settings].flatMap((part) => {
    const argv = readOwnMember(part, member);
    if (!isList(argv) || !argv.every((word) => typeof word === "string")) return [];
    return [{ argv, cwd: readOwnMember(part, "cwd") }];
  });
}

/** Programs that load a module named without its ending, or by its folder. */
const LOADERS = /^(?:node|bun|deno|tsx|ts-node)$/u;

/** Finds the files that the literal words of a command name, from the root and from its folder. */
async function findNamedFiles({ argv, cwd }: Command, resolver: ImportResolver): Promise<readonly string[]> {
  const folders = [".", ...(typeof cwd === "string" ? [cwd] : [])];
  const words = argv
    .filter((word) => word !== "" && !/\{[^{}]+\}/u.test(word))
    // An option may hold its value.
    .flatMap((word) => [word, ...(/^-[^=]*=(.+)$/su.exec(word)?.slice(1) ?? [])]);
  const isLoader = LOADERS.test(readProgramName(argv[readCommandLine(argv).start] ?? ""));
  const found: string[] = [];
  for (const path of words.flatMap((word) => folders.map((folder) => posix.join(folder, word)))) {
    const file = await resolver.moduleAt(path);
    if (file !== undefined) found.push(file.path);
    else if (isLoader) found.push(...(await resolver.resolve(".", `./${path}`)).files);
  }
  return found;
}
