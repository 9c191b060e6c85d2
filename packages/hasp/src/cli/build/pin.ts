import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Diagnostic, printVisibleText } from "@hasp/base/diagnostics";
import { placeWithin, writeAtomically } from "@hasp/project";
import {
  digestOfBytes,
  type PinnedRemote,
  readStoredRemote,
  REMOTES_FOLDER,
  locateStoredRemote,
} from "@hasp/project/read";
import { type ReadPlan, withPlan } from "../project/with-plan.js";
import type { CommandJob, CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

interface PinOptions {
  /** The named addresses; `true` for those of the configuration. */
  readonly pin?: readonly string[] | true;
}

/** The job of `hasp build --pin`. */
export const pin: CommandJob = { run: (invocation) => withPlan(invocation, pinRemotes) };

async function pinRemotes(
  project: ReadPlan,
  { root, options: { pin: asked = true } }: Invocation<PinOptions>,
): Promise<CommandResult> {
  const isNamed = asked !== true;
  const wanted = isNamed ? asked.map(withoutFragment) : [...project.remotes.keys()];
  const problems: Diagnostic[] = [];
  const entries: PinnedRemote[] = [];
  let stored = 0;
  for (const address of wanted) {
    const known = project.remotes.get(address);
    if (!isNamed && known !== undefined && isStored(root, { address, sha256: known })) continue;
    const result = await storeRemote(root, address, isNamed ? undefined : known);
    if ("reason" in result) {
      problems.push(cliDiagnostics("cannot-pin", undefined, { address, reason: result.reason }));
      continue;
    }
    stored += 1;
    if (result.sha256 !== known) entries.push({ address, sha256: result.sha256 });
  }
  const lines = [
    wanted.length === 0
      ? "The configuration pins no remote schema. Pass the URL of one to pin it."
      : stored === 0 && problems.length === 0
        ? `Every text is already stored in ${REMOTES_FOLDER}.`
        : `${stored} of ${wanted.length} texts stored in ${REMOTES_FOLDER}; commit them.`,
  ];
  if (entries.length > 0) {
    lines.push("", 'Review the stored texts, then write this under "remotes" of the configuration:', "");
    lines.push(...entries.map(({ address, sha256 }) => `  ${JSON.stringify(printVisibleText(address))}: ${sha256}`));
  }
  return {
    diagnostics: problems,
    summary: { stored, remotes: Object.fromEntries(entries.map(({ address, sha256 }) => [address, sha256])) },
    text: problems.length > 0 && stored === 0 ? "" : `${lines.join("\n")}\n`,
    state: problems.length > 0 ? "unchecked" : undefined,
  };
}

function withoutFragment(reference: string): string {
  return URL.canParse(reference) ? new URL(reference).href.replace(/#.*/su, "") : reference;
}

function isStored(root: string, remote: PinnedRemote): boolean {
  return readStoredRemote(root, remote).unreadable === undefined;
}

async function storeRemote(
  root: string,
  address: string,
  pinned: string | undefined,
): Promise<{ readonly sha256: string } | { readonly reason: string }> {
  if (!/^https:\/\//iu.test(address) || !URL.canParse(address)) return { reason: "it is not an https URL" };
  const { fetchRemote } = await import("@hasp/import/fetch");
  const fetched = await fetchRemote(address);
  if ("reason" in fetched) return fetched;
  const sha256 = digestOfBytes(fetched.bytes);
  if (pinned !== undefined && sha256 !== pinned) {
    return {
      reason: `its sha256 is now ${sha256}, but the configuration pins ${pinned}; pin it again with "hasp build --pin ${address}"`,
    };
  }
  const path = resolve(root, locateStoredRemote({ address, sha256 }));
  if (placeWithin(root, path) === undefined) return { reason: `${REMOTES_FOLDER} points outside the project` };
  mkdirSync(dirname(path), { recursive: true });
  writeAtomically(path, [Buffer.from(fetched.bytes)]);
  return { sha256 };
}
