import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

/** The data that is beside the repository; absent in most checkouts. */
const sharedFolder: string = new URL("../../../../../shared/", import.meta.url).pathname;

/** True if a path under {@link sharedFolder} exists. */
export function hasShared(path: string): boolean {
  return existsSync(join(sharedFolder, path));
}

/** Reads a JSON file under {@link sharedFolder}. */
export function readShared(path: string): unknown {
  return JSON.parse(readFileSync(join(sharedFolder, path), "utf8"));
}

/** Lists all JSON files of a folder under {@link sharedFolder}, deep, as paths relative to the folder. */
export function listShared(path: string): string[] {
  return readdirSync(join(sharedFolder, path), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .toSorted();
}

const settings = {
  strict: false,
  ownProperties: true,
  logger: false,
  validateFormats: false,
  validateSchema: false,
} as const;

const shared = new Ajv2020(settings);

function hasIds(schema: unknown): boolean {
  return /"\$(?:id|anchor|dynamicAnchor)"/u.test(JSON.stringify(schema) ?? "");
}

export type Verdict = boolean | "refused";

/** Compiles a schema with Ajv into a function from values to verdicts, or returns `undefined` if Ajv refuses it. */
export function judge(
  schema: unknown,
  options: { readonly draft?: "2020-12" | "draft-07"; readonly remotes?: ReadonlyMap<string, unknown> } = {},
): ((value: unknown) => Verdict) | undefined {
  const make = options.draft === "draft-07" ? Ajv : Ajv2020;
  // Schemas without ids cannot meet in one instance, and making an instance costs more than a verdict.
  const canShare = options.draft === undefined && options.remotes === undefined && !hasIds(schema);
  const ajv = canShare ? shared : new make(settings);
  try {
    for (const [uri, remote] of options.remotes ?? []) {
      if (ajv.getSchema(uri) === undefined) ajv.addSchema(remote as object, uri);
    }
    const validate = ajv.compile(schema as object);
    return (value) => {
      try {
        return validate(value) === true;
      } catch {
        return "refused";
      }
    };
  } catch {
    return undefined;
  }
}
