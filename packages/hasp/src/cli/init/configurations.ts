import { basename, dirname, join } from "node:path";
import { mapMembers, readOwnMember, toList, toObject } from "@hasp/base/json";
import type { ApprovalProof } from "@hasp/compiler/model";
import { isWithin, toSlashPath } from "@hasp/project";
import { writeTaskInputs } from "@hasp/project/output";
import { findUp, listSettingFiles, readProjectPlan } from "@hasp/project/read";
import type { JsonObject, JsonValue } from "@hasp/schema";

/** A configuration in the folder or below it; the paths begin in the folder. */
export interface FoundConfiguration {
  readonly path: string;
  readonly outDir: string;
  /** The files that it consists of or names, beside specs. */
  readonly settings: readonly string[];
  /** Files, and folders with `/**`. */
  readonly reads: readonly string[];
  /** The proof that `hasp ci` asks for each new approval. */
  readonly approvedBy: ApprovalProof | undefined;
  /** True if it has errors, so that the usual folders stand for its own. */
  readonly isBroken: boolean;
}

/** Reads a named configuration, or the one of the folder. */
export async function readConfiguration(folder: string, config?: string): Promise<FoundConfiguration> {
  const root = config === undefined ? folder : dirname(config);
  const { value } = await readProjectPlan(root, config && basename(config));
  const { plan, specs = [], plugins = [] } = value ?? {};
  const settings = [
    ...listSettingFiles(plan ?? {}, plugins),
    ...(plan?.toolsets ?? []).flatMap(({ policy }) => policy ?? []),
  ];
  const reads = [...settings, ...[...specs, "hasp-ledger"].map((path) => `${path}/**`)];
  const place = (path: string): string => toSlashPath(folder, join(root, path));
  return {
    path: place(basename(config ?? "")),
    outDir: place(plan?.outDir ?? "src/generated"),
    settings: settings.map(place),
    reads: [...new Set(reads.map(place))],
    approvedBy: plan?.approvals?.verify,
    isBroken: plan === undefined,
  };
}

/** Adds what builds read to the inputs of cached tasks, and where they write to the outputs. */
export function describeTasks(
  template: JsonObject,
  runner: "turbo" | "nx",
  folder: string,
  named: readonly FoundConfiguration[],
): JsonObject {
  const placed = named.map(({ outDir, reads }) => {
    const above = findUp(dirname(join(folder, outDir)), "package.json");
    const home = above !== undefined && isWithin(folder, above) ? above : folder;
    // A runner takes the package's own files by default.
    const others = reads.filter((path) => !isWithin(home, join(folder, path)));
    return { outDir: toSlashPath(home, join(folder, outDir)), others };
  });
  const outDirs = placed.map(({ outDir }) => outDir);
  const reads = writeTaskInputs(runner, [...new Set(placed.flatMap(({ others }) => others))]);
  const list = (items: JsonValue | undefined): readonly JsonValue[] =>
    toList(items).flatMap((item) => [
      ...new Set(outDirs.map((outDir) => String(item).replace("src/generated", outDir))),
    ]);
  return mapMembers(template, (tasks) =>
    mapMembers(toObject(tasks), (task) => ({
      ...toObject(task),
      ...("inputs" in toObject(task) ? { inputs: [...list(readOwnMember(task, "inputs")), ...reads] } : {}),
      ...("outputs" in toObject(task) ? { outputs: list(readOwnMember(task, "outputs")) } : {}),
    })),
  );
}
