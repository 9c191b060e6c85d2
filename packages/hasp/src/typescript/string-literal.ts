/**
 * A string as a TypeScript literal: double quotes unless single ones need fewer escapes (prettier's rule), and nothing
 * inside that could end a script, a line or a reviewer's trust: `</script`, line separators and invisible or reordering
 * marks are escaped.
 */
export function stringLiteral(text: string): string {
  if (plainText.test(text)) return `"${text}"`;
  const doubles = text.split('"').length - 1;
  const singles = text.split("'").length - 1;
  const quote = doubles > singles ? "'" : '"';
  const body = text.replaceAll(special, (found) => escaped(found, quote));
  return quote + body + quote;
}

/** A key of an object literal or type: bare where it is an identifier, quoted otherwise. */
export function propertyKey(name: string): string {
  return isIdentifier(name) ? name : stringLiteral(name);
}

/** The same for an object literal, where a bare or quoted `__proto__` would set the prototype. */
export function literalKey(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : propertyKey(name);
}

function isIdentifier(name: string): boolean {
  return asciiIdentifier.test(name) || identifier.test(name);
}

const asciiIdentifier = /^[$_a-zA-Z][$_a-zA-Z0-9]*$/u;
// Prettier and older engines take no identifier from beyond the basic plane.
const identifier = /^(?!.*[\u{10000}-\u{10ffff}])[$_\p{ID_Start}][$\p{ID_Continue}]*$/u;
/** Texts that need nothing but double quotes. */
export const plainText: RegExp = /^[ !#-&(-;=-Z^-~[\]]*$/u;
// `<` only where a browser's parser would see the end of a script or the start of a comment.
const special = /["'\\]|<(?=\/script|!--)|[\u0000-\u001f\u007f-\u00a0\u00ad\u2028\u2029\ufeff]|\p{Cf}|\p{Cs}/giu;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escaped(found: string, quote: string): string {
  if (found === '"' || found === "'") return found === quote ? `\\${found}` : found;
  return shortEscapes.get(found) ?? unicodeEscapes(found);
}

function unicodeEscapes(text: string): string {
  return Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
