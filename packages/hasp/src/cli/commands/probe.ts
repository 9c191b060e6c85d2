import { type DialectId, dialects, type JsonObject } from "@hasp/schema";
import { type DialectFact, endpoints, listFacts, plainList, type ToolList } from "@hasp/schema/probe";
import { pluralize } from "@hasp/base/diagnostics";
import { groupBy, own, sumBy } from "@hasp/base/json";
import { isOwnDialect } from "@hasp/compiler/model";
import { isLoopback, isSet, secureAddress, today } from "@hasp/project";
import { wrapWords } from "@hasp/report";
import { type CommandModule, type CommandResult, type Invocation, refuse } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { parseWord } from "../shell/options.js";
import { declareSelector, type Selector } from "../shell/selector.js";
import { isYes } from "../shell/terminal.js";
import { createAsk, fillBody, locateEndpoint, type ProbedServer } from "../probe/ask.js";
import { type Judgement, type Judgements, judgeFacts, type PatchOperation, patchTable } from "../probe/judge.js";
import { reportUnknownDialect } from "./schema.js";

interface ProbeOptions {
  readonly env?: string;
  readonly url?: string;
  readonly only?: Selector;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Lists of more characters are sent only if `--only` names their fact: they cost more than all others together. */
const LARGE = 40_000;

/** A strict list may be compiled to a grammar first. */
const TIMEOUT_MS = 60_000;

export const probe: CommandModule = {
  configure(command) {
    command
      .argument("<dialect>", "the dialect whose facts to check against its provider")
      .argument("[model]", "the model to ask, for some dialects a default; the cheapest will do", parseWord)
      .option("--env <name>", "the environment variable that holds the provider's key", parseWord)
      .option("--url <address>", "the base address of a gateway, instead of the provider's own", parseWord)
      .addOption(declareSelector("facts", { fact: "<path> (/limits, /keywords/pattern)" }))
      .option("--dry-run", "send nothing, print the requests")
      .option("--yes", "do not ask before sending, also where CI is set");
  },
  run: runProbe,
};

async function runProbe(invocation: Invocation<ProbeOptions>): Promise<CommandResult> {
  const { words, options, terminal } = invocation;
  const [id = "", model] = words;
  if (!isOwnDialect(id)) return refuse(reportUnknownDialect(id, {}));
  const dialect = dialects[id];
  const endpoint = endpoints[id];
  const lacks = (what: string): CommandResult =>
    refuse(cliDiagnostics("probe-lacks", undefined, { dialect: id, what }));
  if (endpoint === undefined) return lacks("a provider, and there is none behind this dialect");
  const all = listFacts(dialect, endpoint);
  const wanted = options.only?.["fact"];
  const unknown = wanted?.find((path) => !all.some(({ at }) => isBelow(at, path)));
  if (unknown !== undefined) {
    return refuse(cliDiagnostics("unknown-filter", undefined, { kind: "fact", name: unknown, nearest: [] }));
  }
  const facts = all
    .filter(({ at }) => wanted?.some((path) => isBelow(at, path)) ?? true)
    .map((fact) => (wanted === undefined && isLarge(fact) ? leaveOut(fact) : fact));

  const base = secureAddress(options.url ?? endpoint.base ?? "");
  if (base === undefined) return lacks("an address: --url https://…, or http:// on this machine");
  const asked = { endpoint, base, model: model ?? endpoint.model ?? "" };
  if (asked.model === "") return lacks(`the name of a model: hasp probe ${id} <model>`);
  const plain = plainList(dialect, endpoint);
  const requests = listRequests(facts, plain);
  if (options.dryRun === true) {
    const bodies = requests.map(({ tools, ...each }) => ({ ...each, body: fillBody(asked, tools) }));
    const data = { address: locateEndpoint(asked).href, requests: bodies };
    return { diagnostics: [], data, product: `${JSON.stringify(data, undefined, 2)}\n` };
  }

  const key = options.env === undefined ? undefined : own(terminal.environment, options.env)?.trim();
  if (key === undefined ? endpoint.needsKey || options.env !== undefined : !/^[\u0021-\u007e]{8,}$/u.test(key)) {
    return lacks("the provider's key: --env NAME, a variable that holds it");
  }
  const tokens = Math.ceil(sumBy(requests, ({ tools }) => JSON.stringify(tools).length) / 4);
  const cost = `${pluralize(requests.length, "request")} to ${base.host} (${asked.model}), about ${tokens} tokens`;
  if (options.yes !== true) {
    if (!terminal.isInteractive || isSet(terminal.environment["CI"])) return lacks(`--yes, to send ${cost}`);
    const questions = terminal.questions();
    const reply = await questions.ask(`Send ${cost}? [y/N] `);
    questions.end();
    if (!isYes(reply)) return { diagnostics: [], text: "Nothing was sent.\n" };
  }
  const server: ProbedServer = {
    ...asked,
    key,
    allowPrivateAddresses: options.url !== undefined || isLoopback(base.hostname),
    timeoutMs: TIMEOUT_MS,
  };
  terminal.error(options.quiet === true ? "" : `Sending ${cost}.\n`);
  const result = await judgeFacts(facts, plain, createAsk(server), (done) =>
    terminal.progress.report("Probing", done, facts.length),
  );
  terminal.progress.end();
  if ("problem" in result) {
    return refuse(cliDiagnostics("probe-failed", undefined, { dialect: id, reason: result.problem }));
  }
  const patch = patchTable(dialect, result.judgements, result.isComplete && wanted === undefined ? today() : undefined);
  return report(id, result, patch, terminal.columns);
}

function report(
  id: DialectId,
  { judgements, isComplete }: Judgements,
  patch: readonly PatchOperation[],
  columns: number,
): CommandResult {
  const groups = [...groupBy(judgements, ({ verdict, reason = "" }) => `${verdict} ${reason}`).values()];
  return {
    diagnostics: judgements.flatMap(({ verdict, fact: { at, says }, reason = "" }) =>
      verdict === "changed" ? [cliDiagnostics("fact-changed", undefined, { dialect: id, at, says, reason })] : [],
    ),
    ...(!isComplete && { state: "unchecked" }),
    product: `${JSON.stringify(patch, undefined, 2)}\n`,
    text: groups.map((each) => printGroup(each, columns)).join(""),
    data: {
      facts: judgements.map(({ verdict, fact: { at, says }, reason = null }) => ({ at, says, verdict, reason })),
      patch: patch as unknown as JsonObject[],
    },
  };
}

/** Prints the facts that share a verdict and its reason. */
function printGroup(judgements: readonly Judgement[], columns: number): string {
  const [{ verdict, reason } = { verdict: "" }] = judgements;
  const why = reason === undefined ? "" : `, ${reason}`;
  const lines = wrapWords(
    judgements.map(({ fact }) => fact.at),
    columns - 2,
  );
  return [`${verdict} (${judgements.length})${why}:`, ...lines.map((line) => `  ${line}`), ""].join("\n");
}

/** Lists the requests of a run that finds no change: the plain list first and last, and one that no server takes. */
function listRequests(
  facts: readonly DialectFact[],
  plain: ToolList,
): readonly { readonly at: string; readonly must: string; readonly tools: ToolList | "none" }[] {
  const first = { at: "", must: "be taken", tools: plain };
  return [
    first,
    { at: "", must: "be refused", tools: "none" },
    ...facts.flatMap(({ at, keeps, breaks }) => [
      ...keeps.map((tools) => ({ at, must: "be taken", tools })),
      ...(breaks === undefined ? [] : [{ at, must: "be refused", tools: breaks }]),
    ]),
    first,
  ];
}

function isBelow(at: string, path: string): boolean {
  return at === path || at.startsWith(`${path.replace(/\/$/u, "")}/`);
}

function isLarge({ keeps, breaks }: DialectFact): boolean {
  return [...keeps, breaks ?? []].some((list) => JSON.stringify(list).length > LARGE);
}

function leaveOut({ at, says }: DialectFact): DialectFact {
  return { at, says, keeps: [], unprobed: `its lists are large: --only fact:${at} sends them` };
}
