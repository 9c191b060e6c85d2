/** The shortest line of a secret that counts as a secret itself; lines of a PEM key have 64 characters. */
const SHORTEST_LINE = 16;

/** The shortest string in a JSON document that is a secret by itself. */
const SHORTEST_MEMBER = 8;

/**
 * Lists the secrets in a secret: itself, also without the blanks around it, which headers and programs drop; its longer
 * lines, the strings of JSON, the passwords of a URL.
 */
export function findSecrets(secret: string, more: readonly (string | undefined)[] = []): readonly string[] {
  const members = membersIn(secret).flatMap((member) => [member, ...linesIn(member), ...passwordsIn(member)]);
  return [
    ...new Set([secret, secret.trim(), ...linesIn(secret), ...passwordsIn(secret, more), ...members].flatMap(divide)),
  ];
}

/** The longest secret that gets a single regular expression: the engine's stack limits its length. */
const LONGEST = 500;

/** Divides a long secret into parts of similar length. No part ends inside a character or a row of backslashes. */
function divide(secret: string): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start < secret.length;) {
    const left = secret.length - start;
    let end = start + Math.ceil(left / Math.ceil(left / LONGEST));
    while (end < secret.length && /^(?:[\uDC00-\uDFFF]|\\)$/.test(secret.charAt(end))) end += 1;
    parts.push(secret.slice(start, end));
    start = end;
  }
  return parts;
}

function membersIn(text: string): readonly string[] {
  if (!/^\s*["[{]/u.test(text)) return [];
  const found: string[] = [];
  let values: readonly unknown[];
  try {
    values = [JSON.parse(text)];
  } catch {
    return [];
  }
  // Level by level: a document may be nested more deeply than calls may be.
  while (values.length > 0) {
    for (const value of values) if (typeof value === "string" && value.length >= SHORTEST_MEMBER) found.push(value);
    values = values.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
  return found;
}

function linesIn(secret: string): readonly string[] {
  return secret.includes("\n") ? secret.split(/\r?\n/u).filter(isSecretLine) : [];
}

function isSecretLine(line: string): boolean {
  return line.length >= SHORTEST_LINE && !line.startsWith("-----");
}

function passwordsIn(text: string, more: readonly (string | undefined)[] = []): readonly string[] {
  if (!text.includes("://") || !URL.canParse(text)) return [];
  const { username, password, pathname, searchParams } = new URL(text);
  const passwords = [decode(password), searchParams.get("password"), searchParams.get("sslpassword"), ...more];
  const names: readonly (string | null)[] = [decode(username), decode(pathname.slice(1))];
  return passwords.flatMap((each) => (each && !names.includes(each) ? [each] : []));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
