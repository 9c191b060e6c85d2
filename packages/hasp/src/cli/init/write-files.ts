import { join } from "node:path";
import { type Diagnostic, fillPlaceholders } from "@hasp/base/diagnostics";
import { readTemplate, toSlashPath } from "@hasp/project";
import { editUserFile, makeUserFile, type UserFileResult } from "@hasp/project/output";
import type { JsonObject } from "@hasp/schema";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { mergedJson } from "./edit-json.js";

/** A file of which `hasp init` writes the whole or some lines. */
export interface InitFile {
  readonly path: string;
  readonly what: string;
  /** True for an executable file, which is created as a whole or not at all. */
  readonly isProgram?: boolean;
  edit(text: string | undefined): string | undefined;
}

interface CopyOptions {
  readonly values?: Readonly<Record<string, string>>;
  edit?(text: string): string;
}

interface MergeOptions {
  /** The name of the template, if it is not that of the file. */
  readonly source?: string;
  /** True to create the file if it is absent. */
  readonly isMade?: boolean;
  adapt?(template: JsonObject): JsonObject;
}

/** Writes files below the folder of a project, never outside `home`, and remembers what became of each. */
export class FileWriter {
  readonly #folder: string;
  readonly #home: string;
  readonly steps: { readonly path: string; readonly what: string }[] = [];
  readonly diagnostics: Diagnostic[] = [];

  constructor(folder: string, home: string) {
    this.#folder = folder;
    this.#home = home;
  }

  /** Creates a file from a template. */
  async copy(
    template: string,
    target: string,
    what: string,
    { values = {}, edit = (text) => text }: CopyOptions = {},
  ): Promise<void> {
    const path = join(this.#folder, target);
    const text = edit(fillPlaceholders(await readTemplate(template), values));
    this.#note(path, await makeUserFile(this.#home, path, text), what);
  }

  /** Adds what a file of JSON lacks of a template. */
  async merge(
    name: string,
    what: string,
    { source = name, isMade = false, adapt = (template) => template }: MergeOptions = {},
  ): Promise<void> {
    const template = await readTemplate(`merge/${source}`);
    const addition = adapt(JSON.parse(template) as JsonObject);
    const edit = (text: string | undefined): string | undefined =>
      text === undefined ? (isMade ? template : undefined) : mergedJson(text, addition);
    await this.put({ path: join(this.#folder, name), what, edit });
  }

  async put({ path, what, edit, isProgram = false }: InitFile): Promise<void> {
    // Most files can take a few lines; leave other people's programs alone and say so.
    const result = isProgram
      ? await makeUserFile(this.#home, path, edit(undefined) ?? "", { isExecutable: true })
      : await editUserFile(this.#home, path, edit);
    this.#note(path, result, what);
  }

  #note(place: string, result: UserFileResult, what: string): void {
    const path = toSlashPath(this.#folder, place);
    if (result.state === "written" || result.state === "replaced") this.steps.push({ path, what });
    else if (result.state === "exists") this.diagnostics.push(cliDiagnostics("file-kept", undefined, { path }));
    else if (result.state === "failed") {
      this.diagnostics.push(cliDiagnostics("cannot-write", undefined, { path, reason: result.reason }));
    }
  }
}
