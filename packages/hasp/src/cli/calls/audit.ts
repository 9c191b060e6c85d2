import { sumBy } from "@hasp/base/json";
import { resolve } from "node:path";
import type { AuditRecord } from "@hasp/runtime/call-store";
import { InvalidArgumentError } from "commander";
import { type ChainFault, findChainFaults, chainRecords, selectRecords, callsDiagnostics } from "@hasp/serve/calls";
import { type Diagnostic, createLocation, pluralize } from "@hasp/base/diagnostics";
import { readText } from "@hasp/project";
import { type CommandResult, type Invocation, refuse } from "../shell/command.js";
import type { Verb } from "../shell/verbs.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { declareSelector, parseConditions, type Selector } from "../shell/selector.js";
import { declareStoreOption, type StoreOption } from "../project/store-option.js";
import { useCallStore } from "./use-call-store.js";

interface AuditOptions extends StoreOption {
  readonly only?: Selector;
  readonly head?: string;
}

export const audit: Verb = {
  summary: "Print who proposed, decided and executed the calls, or verify such a printout.",
  configure(command) {
    declareStoreOption(
      command.argument("[file]", "a printout of this command, to verify with no other option but --head"),
    )
      .addOption(declareSelector("records", PROPERTIES).argParser(parseDated))
      .option("--head <digest>", "the digest that the last record of the file must have");
  },
  run: async (invocation: Invocation<AuditOptions>) => {
    const { head, only, store } = invocation.options;
    const [file] = invocation.words;
    const other = file === undefined ? head : (only ?? store);
    if (other !== undefined) return refuse(callsDiagnostics("file-or-records"));
    return file === undefined ? printRecords(invocation) : verifyFile(file, invocation);
  },
};

const PROPERTIES = {
  turn: "<id>",
  tool: "<name>",
  principal: "<name>",
  decision: "allowed|denied|expired",
  since: "<date>",
};

/** Parses conditions, with each date as records write it. */
function parseDated(text: string, before: Selector | undefined): Selector {
  const { since, ...others } = parseConditions(PROPERTIES)(text, before);
  return { ...others, ...(since && { since: since.map(isoDate) }) };
}

async function printRecords(invocation: Invocation<AuditOptions>): Promise<CommandResult> {
  const { only = {} } = invocation.options;
  const { turn: turns, since: dates = [], ...wanted } = only;
  const since = dates.at(-1);
  return useCallStore(invocation, async (store, { onDamage, findings }) => {
    // The record that names a call's tool may be older than the date.
    const isOfCalls = only["tool"] !== undefined || only["principal"] !== undefined;
    const stored = await store.records({ onDamage, ...(since !== undefined && !isOfCalls && { since }) });
    // The calls of a program are turns below its own.
    const ofTurn = stored.filter(
      ({ turnId }) => turns === undefined || turns.some((turn) => turnId === turn || turnId.startsWith(`${turn}/`)),
    );
    const records = selectRecords(ofTurn, { ...wanted, since }).map(markDeclined);
    const { text, head } = chainRecords(records);
    return {
      diagnostics: findings,
      product: text,
      data: { records: records.map((record) => ({ ...record })), head },
      summary: { records: records.length },
      text: `${pluralize(records.length, "record")}, digest of the last: ${head}\n`,
    };
  });
}

/** Marks an answer that did not count, whose record repeats the state in which the call stays. */
function markDeclined(record: AuditRecord): AuditRecord & { readonly answer?: "declined" } {
  return record.questionId !== undefined && record.code !== undefined ? { ...record, answer: "declined" } : record;
}

async function verifyFile(path: string, { folder, options }: Invocation<AuditOptions>): Promise<CommandResult> {
  const read = await readText(resolve(folder, path));
  if ("reason" in read) {
    return refuse(
      cliDiagnostics("cannot-read", read.at && createLocation(path, read.at), { path, reason: read.reason }),
    );
  }
  const faults = findChainFaults(read.text, options.head);
  const diagnostics = faults
    // Further ones usually follow from these.
    .slice(0, 20)
    .map((fault) => findingOf(path, read.text, fault, options.head ?? ""));
  if (faults.some(({ kind }) => kind === "empty")) return { diagnostics, state: "unchecked" };
  const note =
    options.head === undefined ? " Pass --head, the digest of the last record, to verify its end as well." : "";
  return {
    diagnostics,
    summary: { faults: faults.length },
    ...(faults.length === 0 && { text: `${path}: no line was changed, removed, inserted or moved.${note}\n` }),
  };
}

function findingOf(path: string, text: string, fault: ChainFault, head: string): Diagnostic {
  const line = "line" in fault ? fault.line : 1;
  const before = text.split("\n", line - 1).map((each) => each.length + 1);
  const place = createLocation(path, { offset: sumBy(before, (length) => length), line, column: 1 });
  switch (fault.kind) {
    case "not-a-record":
      return callsDiagnostics("line-not-a-record", place, { path, line });
    case "changed":
      return callsDiagnostics("line-changed", place, { path, line });
    case "gap": {
      const variant = line === 1 ? "start" : "between";
      return callsDiagnostics("line-missing", place, { variant, path, line });
    }
    case "empty":
      return callsDiagnostics("no-records", place, { path });
    case "end":
      return callsDiagnostics("end-missing", place, { path, head });
  }
}

function isoDate(text: string): string {
  const time = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/u.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError("It must be a date such as 2030-01-31, or 2030-01-31T12:00:00Z.");
  }
  return new Date(time).toISOString();
}
