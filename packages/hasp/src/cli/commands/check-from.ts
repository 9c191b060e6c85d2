import { groupBy, own } from "@hasp/base/json";
import { type Diagnostic, findSuggestions, pluralize, printVisibleText } from "@hasp/base/diagnostics";
import { type CheckedList, checkSource } from "@hasp/import";
import { createPlainDialect, DEFAULT_DIALECTS, isOwnDialect } from "@hasp/compiler/model";
import { dialects } from "@hasp/schema";
import { clients } from "@hasp/project/built-in";
import { type BuildFacts, buildFacts, printTable } from "@hasp/report";
import { type CommandJob, type CommandResult, type Invocation, refuse } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import type { FromOptions } from "./check.js";
import { buildCounts } from "../project/build-result.js";
import { createSession } from "../project/project.js";

/** Checks tools that exist, without a project: `hasp check --from <file>`. */
export const checkFrom: CommandJob = { standsAlone: true, run: runCheckFrom };

async function runCheckFrom(invocation: Invocation<FromOptions>): Promise<CommandResult> {
  const { options, folder, terminal, words } = invocation;
  const { from = "", for: readers = [...DEFAULT_DIALECTS, ...Object.keys(clients)], start = false } = options;
  const unknown = readers.find((id) => !Object.hasOwn(clients, id) && !isOwnDialect(id));
  if (unknown !== undefined) return refuse(reportUnknownReader(unknown));
  const chosenClients = readers.flatMap((id) => own(clients, id) ?? []);
  const forClients = chosenClients.length === 0 ? [] : (["mcp"] as const);
  if (words.length > 0) return refuse(cliDiagnostics("from-of-some"));
  const {
    value: lists,
    diagnostics: all,
    texts,
  } = await checkSource({
    session: createSession(invocation),
    folder,
    file: from,
    plan: {
      dialects: [...new Set([...readers.filter(isOwnDialect), ...forClients])].map(createPlainDialect),
      clients: chosenClients,
      budgets: { exact: options.exact === true },
    },
    mayStart: start,
    onReading: (what) => terminal.error(options.quiet === true ? "" : `Reading ${printVisibleText(what)}\n`),
  });
  const diagnostics = all.filter(isAboutLists);
  const isForPeople = options.format === "pretty" && options.verbose !== true;
  const found = lists.map((list) => ({ ...list, facts: buildFacts(list.result, list.plan, { tokens: true }) }));
  return {
    diagnostics: isForPeople ? condense(diagnostics) : diagnostics,
    sources: texts,
    summary: { lists: found.map(({ name, refused, facts }) => ({ name, refused, ...buildCounts(facts) })) },
    text: found.map((each) => printList(each, terminal.columns)).join("\n"),
    ...(lists.length === 0 && { state: "unchecked" }),
  };
}

function reportUnknownReader(name: string): Diagnostic {
  const known = Object.keys(dialects);
  return cliDiagnostics("unknown-reader", undefined, {
    name,
    nearest: findSuggestions(name, [...known, ...Object.keys(clients)]),
    known: known.join(", "),
  });
}

/** True for findings about what models and providers get. The rest asks for what only specs can say. */
function isAboutLists({ code, severity }: Diagnostic): boolean {
  if (code.startsWith("import/")) return severity === "error" || code === "import/secret-removed";
  return /^(?:cli|load|resolve|flatten|schema|lower|request|providers|supply-chain|naming)\/|\/name-contradicts-claim$/u.test(
    code,
  );
}

/** Keeps the first of the findings of each kind and counts the others, so that those of a large list fit on a screen. */
function condense(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...groupBy(diagnostics, ({ severity, code }) => severity + code).values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? [];
    return [{ ...first, help: `${first.help ?? ""} ${others.length} more like this; --verbose prints them.`.trim() }];
  });
}

/** Prints what each provider takes of a list, and what its requests cost. */
function printList({ name, refused, facts }: CheckedList & { readonly facts: BuildFacts }, columns: number): string {
  const titles = ["provider", "tools", "constraints it drops", "tokens"];
  const unread = refused.length === 0 ? "" : `; ${refused.length} more cannot be read`;
  const rows = facts.toolsets.flatMap(({ dialects }) =>
    dialects.map(({ dialect, carried, losses, tokens }) => [dialect, carried, losses, tokens].map(String)),
  );
  return [
    `${printVisibleText(name)}: ${pluralize(facts.tools, "tool")}${unread}`,
    ...printTable(titles, rows, { columns }),
    "",
  ].join("\n");
}
