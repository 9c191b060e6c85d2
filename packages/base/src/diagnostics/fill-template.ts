export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(placeholder, (written, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? written) : written,
  );
}

export function findPlaceholders(text: string): readonly { readonly name: string; readonly offset: number }[] {
  return [...text.matchAll(placeholder)].map(({ 1: name = "", index }) => ({ name, offset: index }));
}

const placeholder = /__([A-Z][A-Z_]*?)__/gu;
