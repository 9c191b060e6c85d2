import { createLayout, locateHandlerFiles, chooseGeneratedNames, type GeneratedNames } from "@hasp/compiler/layout";
import { locateLedger } from "@hasp/compiler/claims";
import { isReservedName } from "@hasp/compiler/model";
import { type FeaturePlace, listFiles } from "./place.js";
import type { FileChange, FileSpan, ProjectEdit } from "./language-project.js";
import { findOccurrences } from "./occurrences.js";
import { isTool, lastToken, type ProjectSymbol, findSymbol, listToolNames, findValue } from "./symbols.js";
import { escapeRegExp } from "./syntax.js";

export function findRenamable(place: FeaturePlace): (FileSpan & { readonly name: string }) | undefined {
  const symbol = findSymbol(place);
  const span = symbol && nameSpan(symbol, place);
  return symbol === undefined || span === undefined ? undefined : { ...span, name: nameOf(symbol) };
}

/**
 * Renames a tool or definition in specs, shared files, policies and the configuration, and a tool's ledger and handler.
 * Returns the reason if that is impossible.
 */
export async function rename(
  place: FeaturePlace,
  newName: string,
): Promise<ProjectEdit | { readonly refusal: string }> {
  const { project } = place;
  const symbol = findSymbol(place);
  if (symbol === undefined) return { refusal: "No tool or definition is named here." };
  const refusal = symbol.kind === "tool" ? toolRefusal(newName, place) : definitionRefusal(symbol, newName, place);
  if (refusal !== undefined) return { refusal };
  const replaced = findOccurrences(symbol, project, listFiles(place)).map(({ span }): FileChange => ({
    kind: "replace",
    span,
    text: newName,
  }));
  const moved = symbol.kind === "tool" ? await filesOfTool(symbol.name, newName, place) : [];
  return { changes: [...replaced, ...moved] };
}

function nameOf(symbol: ProjectSymbol): string {
  return symbol.kind === "tool" ? symbol.name : lastToken(symbol.pointer);
}

function nameSpan(symbol: ProjectSymbol, { document, project, offset }: FeaturePlace): FileSpan | undefined {
  if (symbol.kind === "definition" && findValue(symbol.uri, symbol.pointer, project) === undefined) return undefined;
  const spans = findOccurrences(symbol, project, [document]).map(({ span }) => span);
  return (
    spans.find(({ start, end }) => start <= offset && offset <= end) ??
    spans.find(({ start, end }) => symbol.span.start <= start && end <= symbol.span.end)
  );
}

function toolRefusal(name: string, { project }: FeaturePlace): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/u.test(name) || isReservedName(name)) {
    return `"${name}" cannot be the name of a tool: a letter, then letters, digits, _ and -, at most 64 characters.`;
  }
  return isTool(name, project) ? `There is a tool "${name}" already.` : undefined;
}

function definitionRefusal(
  { uri, pointer }: Extract<ProjectSymbol, { kind: "definition" }>,
  name: string,
  { project }: FeaturePlace,
): string | undefined {
  const holder = pointer.slice(0, pointer.lastIndexOf("/"));
  if (!/^[A-Za-z_][A-Za-z0-9_.-]*$/u.test(name)) return `"${name}" cannot be the name of a definition.`;
  if (findValue(uri, pointer, project) === undefined) return `${uri}#${pointer} is not part of this project.`;
  return findValue(uri, `${holder}/${name}`, project) === undefined
    ? undefined
    : `There is a definition "${name}" already.`;
}

async function filesOfTool(from: string, to: string, { project }: FeaturePlace): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  const ledger = project.sources.find(({ uri, role }) => role === "ledger" && uri === locateLedger(from));
  if (ledger !== undefined) {
    const named = new RegExp(`(?<=^# What the spec of )${escapeRegExp(from)}(?= )`, "mu").exec(ledger.text);
    if (named !== null) {
      const span = { uri: ledger.uri, start: named.index, end: named.index + from.length };
      changes.push({ kind: "replace", span, text: to });
    }
    changes.push({ kind: "rename", from: ledger.uri, to: locateLedger(to) });
  }
  return [...changes, ...(await handlerOfTool(from, to, project))];
}

async function handlerOfTool(
  from: string,
  to: string,
  project: FeaturePlace["project"],
): Promise<readonly FileChange[]> {
  const plan = project.compiled?.plan;
  if (plan === undefined) return [];
  const names = listToolNames(project);
  const after = names.map((name) => (name === from ? to : name));
  const [oldPath, newPath] = [locateHandlerFiles(names, plan).get(from), locateHandlerFiles(after, plan).get(to)];
  const [oldNames, newNames] = [chooseGeneratedNames(names).get(from), chooseGeneratedNames(after).get(to)];
  if (oldPath === undefined || newPath === undefined || oldNames === undefined || newNames === undefined) return [];
  const handler = await project.read(oldPath);
  if (handler === undefined || handler.unreadable !== undefined) return [];
  const layout = createLayout(plan);
  const moduleOf = (path: string, each: GeneratedNames): string => layout.importPath(path, layout.toolModule(each));
  const words = [
    { before: moduleOf(oldPath, oldNames), after: moduleOf(newPath, newNames) },
    ...["Handler", "Input", "Output"].map((end) => ({
      before: `${oldNames.pascal}${end}`,
      after: `${newNames.pascal}${end}`,
    })),
  ];
  const replaced = words.flatMap(({ before, after: text }) =>
    Array.from(
      handler.text.matchAll(new RegExp(`(?<![\\w/])${escapeRegExp(before)}(?!\\w)`, "gu")),
      ({ index }): FileChange => ({
        kind: "replace",
        span: { uri: oldPath, start: index, end: index + before.length },
        text,
      }),
    ),
  );
  return oldPath === newPath ? replaced : [...replaced, { kind: "rename", from: oldPath, to: newPath }];
}
