/** Quotes a string where necessary. */
export function valueText(
  value: string,
  { isJson, isQuoted }: { readonly isJson: boolean; readonly isQuoted: boolean },
): string {
  if (isQuoted) return value;
  return isJson || /[:#]|^[^A-Za-z0-9_]/u.test(value) ? JSON.stringify(value) : value;
}
