/** The shortest line of a secret that is one by itself: those of a key in PEM have 64 characters. */
const SHORTEST_LINE = 16;

/**
 * Lists the secrets in a secret: itself, its longer lines, and the passwords of a URL, unless they equal the name of the
 * user or the database. `more`: other passwords for this URL.
 */
export function secretsIn(secret: string, more: readonly (string | undefined)[] = []): readonly string[] {
  const lines = secret.includes("\n") ? secret.split(/\r?\n/u).filter(isSecretLine) : [];
  return [secret, ...lines, ...passwordsIn(secret, more)];
}

function isSecretLine(line: string): boolean {
  return line.length >= SHORTEST_LINE && !line.startsWith("-----");
}

function passwordsIn(text: string, more: readonly (string | undefined)[]): readonly string[] {
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
