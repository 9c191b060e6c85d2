/**
 * Texts by path, of which some are read only once somebody asks for them: most runs show few of the files that they
 * know. A text that cannot be read any longer is an empty one.
 */
export class TextsOnDemand implements ReadonlyMap<string, string> {
  readonly #known: Map<string, string>;
  readonly #unread: Set<string>;
  readonly #read: (path: string) => string | undefined;

  constructor(
    known: Iterable<readonly [string, string]>,
    unread: Iterable<string>,
    read: (path: string) => string | undefined,
  ) {
    this.#known = new Map(known);
    this.#unread = new Set(unread);
    this.#read = read;
  }

  get size(): number {
    return this.#known.size + this.#unread.size;
  }

  has(path: string): boolean {
    return this.#known.has(path) || this.#unread.has(path);
  }

  get(path: string): string | undefined {
    if (this.#unread.delete(path)) this.#known.set(path, this.#read(path) ?? "");
    return this.#known.get(path);
  }

  set(path: string, text: string): void {
    this.#unread.delete(path);
    this.#known.set(path, text);
  }

  *keys(): MapIterator<string> {
    yield* this.#known.keys();
    yield* this.#unread;
  }

  *entries(): MapIterator<[string, string]> {
    for (const path of this.keys()) yield [path, this.get(path) ?? ""];
  }

  *values(): MapIterator<string> {
    for (const [, text] of this.entries()) yield text;
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries();
  }

  forEach(visit: (text: string, path: string, texts: ReadonlyMap<string, string>) => void): void {
    for (const [path, text] of this.entries()) visit(text, path, this);
  }
}
