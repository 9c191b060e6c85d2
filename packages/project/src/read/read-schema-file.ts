import { isObject, dropUndefined } from "@hasp/base/json";
import { type Diagnostic, type Location, createLocation, type Position } from "@hasp/base/diagnostics";
import { dirname, relative, resolve } from "node:path";
import type { JsonValue, Origin, SchemaDiagnostic } from "@hasp/schema";
import { type LoadedDocument, fromDocumentUri, isRemote, toDocumentUri } from "@hasp/compiler/model";
import { parseSource } from "@hasp/compiler/source";
import { readStoredRemote } from "./stored-remotes.js";
import { SPEC_FILE } from "./file-names.js";
import { createProjectReader } from "../fs/read-inside.js";
import { readText } from "../fs/read-text.js";
import { toSlashPath } from "../fs/slash-path.js";

/** A file to which a schema refers, and why it cannot be read. */
interface UnreadFile {
  readonly path: string;
  readonly reason: string;
  readonly location: Location;
}

/** A schema that the user named by its file, with everything needed to follow its references and to show findings. */
export interface SchemaFile {
  readonly schema: unknown;
  /** True for the input of a spec, which hasp closes; a plain schema is taken as it is. */
  readonly isInput: boolean;
  /** Settings for `flatten` and `lower`. */
  readonly options: { readonly baseUri: string; readonly pointer: string; readonly resolve: (uri: string) => unknown };
  readonly root: string;
  /** The texts that were read so far, by path. */
  readonly sources: ReadonlyMap<string, string>;
  /** Referenced documents that could not be read so far, and why. */
  readonly unread: readonly UnreadFile[];
  /** Finds the place of a value in the user's files. */
  locate(origin: Origin): Location | undefined;
  /** Places a finding of the schema package. */
  place(diagnostic: SchemaDiagnostic): Diagnostic;
}

/** The reason for a missing schema: a sentence, or a mistake in the text. */
interface UnreadableSchema {
  readonly root: string;
  readonly sources: ReadonlyMap<string, string>;
  readonly reason?: string;
  /** The place that keeps the file from being read. */
  readonly at?: Position;
  readonly diagnostics: readonly Diagnostic[];
}

interface RemotesOfProject {
  readonly project: string;
  readonly remotes: ReadonlyMap<string, string>;
}

/**
 * Reads a JSON or YAML file that holds a schema, or a spec, whose `input` is then meant. References may lead to files
 * in the same folder tree, and to remote schemas that the project pins.
 */
export async function readSchemaFile(
  folder: string,
  file: string,
  { project, remotes }: RemotesOfProject,
): Promise<SchemaFile | UnreadableSchema> {
  const path = resolve(folder, file);
  const isInside = !relative(folder, path).startsWith("..");
  const root = isInside ? folder : dirname(path);
  const uri = toSlashPath(root, path);
  const sources = new Map<string, string>();
  const unread: UnreadFile[] = [];
  const content = await readText(path);
  if ("reason" in content) return { root, sources, ...content, diagnostics: [] };
  sources.set(uri, content.text);
  const parsed = parseSource({ uri, text: content.text, role: "shared" });
  if (parsed.value === undefined) return { root, sources, diagnostics: parsed.diagnostics };

  const documents = new Map<string, LoadedDocument | undefined>([[uri, parsed.value]]);
  const documentAt = (documentUri: string): LoadedDocument | undefined => {
    const target = documentUri === "" ? uri : fromDocumentUri(documentUri);
    if (!documents.has(target)) {
      const sha256 = remotes.get(target);
      const source = isRemote(target)
        ? sha256 === undefined
          ? undefined
          : readStoredRemote(project, { address: target, sha256 })
        : createProjectReader(root).read(target, "shared");
      if (source?.unreadable !== undefined) {
        unread.push({ path: target, reason: source.unreadable, location: createLocation(target, source.unreadableAt) });
      } else if (source !== undefined) sources.set(target, source.text);
      documents.set(target, source && parseSource(source).value);
    }
    return documents.get(target);
  };
  const locate = (origin: Origin): Location | undefined => documentAt(origin.uri)?.locate(origin.pointer);
  const { value } = parsed.value;
  const specInput = inputOfSpec(value);
  if (specInput === undefined && SPEC_FILE.test(uri)) {
    return { root, sources, reason: "it is named like a spec but is not a tool with an input", diagnostics: [] };
  }
  return {
    schema: specInput ?? value,
    isInput: specInput !== undefined,
    options: {
      baseUri: toDocumentUri(uri),
      pointer: specInput === undefined ? "" : "/input",
      resolve: (documentUri) => documentAt(documentUri)?.value,
    },
    root,
    sources,
    unread,
    locate,
    place: ({ code, severity, message, origin, related }) => {
      const location = locate(origin);
      const others = (related ?? []).flatMap((entry) => {
        const place = locate(entry.origin);
        return place === undefined ? [] : [{ location: place, message: entry.message }];
      });
      return {
        code,
        severity,
        message,
        ...dropUndefined({ location }),
        ...(others.length === 0 ? {} : { related: others }),
      };
    },
  };
}

function inputOfSpec(value: JsonValue): JsonValue | undefined {
  const isSpec = isObject(value) && ["hasp", "name", "input"].every((key) => Object.hasOwn(value, key));
  return isSpec ? value["input"] : undefined;
}
