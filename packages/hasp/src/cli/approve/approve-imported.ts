import { withoutApprovals } from "@hasp/project/session";
import { basename, dirname, resolve } from "node:path";
import type { JsonObject, JsonValue } from "@hasp/schema";
import type { PendingClaim } from "@hasp/compiler/claims";
import {
  readOwnMember,
  findOrAdd,
  toObject,
  groupBy,
  isObject,
  unescapeToken,
  own,
  findValueAt,
  sumBy,
  indexBy,
} from "@hasp/base/json";
import type { FlatTool } from "@hasp/compiler";
import { fromDocumentUri } from "@hasp/compiler/model";
import { printVisibleText, pluralize } from "@hasp/base/diagnostics";
import {
  printCanonical,
  computeDigest,
  computeImportedDigest,
  SHARED_ORIGIN,
  readRecord,
  recordPath,
} from "@hasp/import";
import { compileProject, isCompiled, type ReportedProject } from "../project/project.js";
import type { Invocation } from "../shell/command.js";
import { type ApprovalRun, type ApprovalResult, enterApprovals, readLedgerDocuments } from "./approval.js";
import { askAboutAll, askAboutClaims } from "./ask-about-claims.js";

interface ImportedClaims {
  /** The document as specs name it under `origin`. */
  readonly source: string;
  readonly claims: readonly PendingClaim[];
}

export async function approveImported(approval: ApprovalRun): Promise<ApprovalResult> {
  const { project, options, terminal, selection } = approval;
  const { byDocument, edited } = await importedClaims(
    project,
    project.result.tools.filter((tool) => selection.has(tool)),
    approval.ledgers,
  );
  const approved = new Map<PendingClaim, string>();
  for (const { source, claims } of byDocument) {
    const answers = options.yes === true ? claims : await askAboutDocument(source, claims);
    for (const claim of answers) approved.set(claim, options.reason ?? `${printVisibleText(source)} leaves it open`);
  }
  const waiting = byDocument.flatMap(({ claims }) => claims);
  const entered = await enterApprovals([...approved.keys()], waiting, approval, (claim) => approved.get(claim) ?? "");
  if (edited.length === 0) return entered;
  const left = `${pluralize(edited.length, "claim")} left, since the input was edited after the import: run hasp approve without --imported.`;
  return { ...entered, text: `${entered.text}\n${left}\n` };

  async function askAboutDocument(source: string, claims: readonly PendingClaim[]): Promise<readonly PendingClaim[]> {
    const questioning = { texts: project.texts, terminal, oneByOne: true };
    if (options.review === true) return askAboutClaims(claims, questioning);
    const tools = new Set(claims.map(({ tool }) => tool)).size;
    const title = `${printVisibleText(source)} leaves ${pluralize(claims.length, "place")} open in the inputs of ${pluralize(tools, "tool")}`;
    const lines = claims.map(({ tool, claim }) => `  ${printVisibleText(tool)}  ${printVisibleText(claim)}`);
    terminal.error(`\n${terminal.paint("heading", title)}: a model may send any value there.\n${lines.join("\n")}\n`);
    const questions = terminal.questions();
    const answer = await askAboutAll(claims.length, questions);
    questions.end();
    if (answer === "review") return askAboutClaims(claims, questioning);
    return answer === "yes" ? claims : [];
  }
}

/** Counts the claims that `hasp approve --imported` would ask about for these tools. */
export async function countImportedClaims(invocation: Invocation, tools: readonly string[]): Promise<number> {
  if (tools.length === 0) return 0;
  const project = await compileProject(invocation, { tools, adapt: withoutApprovals });
  if (!isCompiled(project)) return 0;
  const { byDocument } = await importedClaims(project, project.result.tools, await readLedgerDocuments(project));
  return sumBy(byDocument, ({ claims }) => claims.length);
}

/**
 * Lists the waiting claims about inputs of imported documents, by document. `edited` are claims about inputs that
 * someone has changed since the import.
 */
async function importedClaims(
  project: ReportedProject,
  tools: readonly FlatTool[],
  ledgers: ApprovalRun["ledgers"],
): Promise<{ readonly byDocument: readonly ImportedClaims[]; readonly edited: readonly PendingClaim[] }> {
  const { listPendingClaims, readApprovals } = await import("@hasp/compiler/claims");
  const imported = new Map(tools.flatMap((tool) => (sourceOf(tool) === undefined ? [] : [[tool.name, tool] as const])));
  const approvals = readApprovals(ledgers, project.result.tools, project.plan);
  const open = listPendingClaims([...imported.values()], approvals).filter(({ claim }) => claim.startsWith("input"));
  const isImported = await createOriginCheck(project);
  const edited = new Set<string>();
  for (const name of new Set(open.map(({ tool }) => tool))) {
    const tool = imported.get(name);
    if (tool !== undefined && !(await isImported(tool))) edited.add(name);
  }
  const unedited = open.filter(({ tool }) => !edited.has(tool));
  const groups = groupBy(unedited, ({ tool }) => sourceOf(imported.get(tool)) ?? "");
  return {
    byDocument: [...groups].map(([source, claims]) => ({ source, claims })),
    edited: open.filter(({ tool }) => edited.has(tool)),
  };
}

function writtenSpec({ document, pointer }: FlatTool): JsonObject {
  const spec = findValueAt(document.value, pointer);
  return toObject(spec);
}

function sourceOf(tool: FlatTool | undefined): string | undefined {
  const { origin } = tool === undefined ? {} : writtenSpec(tool);
  const source = readOwnMember(origin, "source");
  return typeof source === "string" ? source : undefined;
}

async function createOriginCheck({
  root,
  sources,
}: Pick<ReportedProject, "root" | "sources">): Promise<(tool: FlatTool) => Promise<boolean>> {
  const { parseSource } = await import("@hasp/compiler/source");
  const texts = indexBy(sources, ({ uri }) => uri);
  const values = new Map<string, JsonValue>();
  const valueOf = (uri: string): JsonValue => {
    const source = texts.get(uri);
    return findOrAdd(values, uri, () => (source && parseSource(source).value?.value) ?? null);
  };
  return async (tool) => {
    const origins = new Set(
      tool.input.nodes
        .flatMap(({ schema }) => (isObject(schema) ? tool.input.originsOf(schema) : []))
        .map(({ uri, pointer }) => `${fromDocumentUri(uri)}#${pointer.split("/").slice(0, 3).join("/")}`),
    );
    for (const origin of origins) {
      const [uri = "", pointer = ""] = origin.split("#");
      if (uri !== tool.document.uri && !isImportedDefinition(valueOf(uri), pointer)) return false;
    }
    return hasImportedInput(tool, root);
  };
}

function isImportedDefinition(file: JsonValue, pointer: string): boolean {
  const from = findValueAt(file, `/${SHARED_ORIGIN}`);
  const digests = readOwnMember(from, "digests");
  const [, container, token = ""] = pointer.split("/");
  const name = unescapeToken(token);
  return (
    container === "$defs" &&
    isObject(digests) &&
    own(digests, name) === computeDigest(findValueAt(file, pointer) ?? null)
  );
}

/** Checks the input in the spec itself; its other keys may have been edited. */
async function hasImportedInput(tool: FlatTool, root: string): Promise<boolean> {
  const spec = writtenSpec(tool);
  const digest = readOwnMember(spec["origin"], "digest");
  if (computeImportedDigest(spec) === digest) return true;
  const path = resolve(root, tool.document.uri);
  const record = await readRecord(recordPath(root, dirname(path), basename(path)));
  return (
    record !== undefined &&
    computeImportedDigest(record) === digest &&
    printCanonical(record["input"]) === printCanonical(spec["input"])
  );
}
