import type { JsonValue } from "@hasp/schema";

/** Parses an array in the text form of Postgres: `{1,NULL,"a \"b\""}`, nested, or `[0:1]={1,2}`. */
export function parseArray(text: string, parse: (element: string) => JsonValue): JsonValue {
  // Bounds other than 1 come first; JSON has none.
  let at = text.startsWith("[") ? text.indexOf("=") + 1 : 0;
  const list = (): JsonValue[] => {
    const items: JsonValue[] = [];
    at += 1;
    while (at < text.length && text[at] !== "}") {
      if (text[at] === "{") items.push(list());
      else if (text[at] === '"') items.push(parse(quoted()));
      else {
        const plain = bare();
        items.push(plain === "NULL" ? null : parse(plain));
      }
      if (text[at] === ",") at += 1;
    }
    at += 1;
    return items;
  };
  const quoted = (): string => {
    let value = "";
    for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
      if (text[at] === "\\") at += 1;
      value += text[at];
    }
    at += 1;
    return value;
  };
  const bare = (): string => {
    const start = at;
    while (at < text.length && text[at] !== "," && text[at] !== "}") at += 1;
    return text.slice(start, at);
  };
  return list();
}

/** Prints a list as an array in the text form of Postgres. */
export function printArray(list: readonly unknown[], print: (element: unknown) => string | null): string {
  const items = list.map((item) => {
    if (Array.isArray(item)) return printArray(item, print);
    const text = print(item);
    return text === null ? "NULL" : `"${text.replaceAll(/["\\]/gu, "\\$&")}"`;
  });
  return `{${items.join(",")}}`;
}
