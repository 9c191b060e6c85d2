/** Turns a source's name into the name of a connection: letters, digits and "-"; `fallback` where nothing is left. */
export function connectionNameOf(source: string, fallback: string): string {
  const name = source
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll(/[^A-Za-z0-9_]+/gu, "-")
    .replaceAll(/^[^A-Za-z]+|-+$/gu, "")
    .slice(0, 64)
    .toLowerCase();
  return name === "" ? fallback : name;
}
