/** Returns an environment variable's name: `shop-api`, `bearerAuth` become `SHOP_API_BEARER_AUTH`. */
export function variableName(...words: readonly string[]): string {
  const name = words
    .map((word) =>
      word
        .replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2")
        .normalize("NFKD")
        .replaceAll(/[^A-Za-z0-9]+/gu, "_")
        .replaceAll(/^_+|_+$/gu, ""),
    )
    .filter((word) => word !== "")
    .join("_")
    .toUpperCase();
  return /^[A-Z]/u.test(name) ? name : `HASP_${name}`;
}
