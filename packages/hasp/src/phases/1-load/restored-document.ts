import type { Location } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument, SourceRole, SourceText } from "../../model/document.js";
import { once } from "../../model/memory.js";

/** A file whose value is known from an earlier run as JSON. It is parsed once somebody asks for a place in it. */
export class RestoredDocument implements LoadedDocument {
  readonly uri: string;
  readonly role: SourceRole;
  readonly text: string;
  readonly #json: string;
  readonly #parse: () => LoadedDocument | undefined;
  #value: LoadedDocument["value"] | undefined;

  /** `json` is the value; `parse` parses the text, which has been parsed before and so can be. */
  constructor({ uri, role, text }: SourceText, json: string, parse: () => LoadedDocument | undefined) {
    this.uri = uri;
    this.role = role;
    this.text = text;
    this.#json = json;
    this.#parse = once(parse);
  }

  get value(): LoadedDocument["value"] {
    return (this.#value ??= JSON.parse(this.#json) as LoadedDocument["value"]);
  }

  readonly locate = (pointer: string, part?: "key" | "value"): Location => {
    const document = this.#parse();
    if (document === undefined) throw new Error(`${this.uri} was parsed before and cannot be parsed now.`);
    return document.locate(pointer, part);
  };
}
