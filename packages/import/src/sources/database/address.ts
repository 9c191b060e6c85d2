export function isPostgresAddress(address: string): boolean {
  return /^postgres(?:ql)?:\/\//u.test(address);
}

/** Removes the password of an address from a message. */
export function withoutPassword(message: string, address: string): string {
  const { password = "" } = URL.canParse(address) ? new URL(address) : {};
  return [address, password, decoded(password)]
    .filter((secret) => secret !== "")
    .reduce((text, secret) => text.replaceAll(secret, "…"), message);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
