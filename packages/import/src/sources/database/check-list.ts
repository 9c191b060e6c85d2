/** Matches a check of one column against a list of texts, as Postgres prints it. */
const LIST =
  /^CHECK \(\(+(?:"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)\)?(?:::text)? = ANY \(\(?ARRAY\[(?<items>(?:'(?:[^']|'')*'::(?:text|character varying|bpchar)(?:, )?)+)\]\)?(?:::text\[\])?\)+$/u;
const ITEM = /'((?:[^']|'')*)'::/gu;

/** Returns the texts that a check allows; `undefined` for any other check. */
export function allowedTexts(definition: string): readonly string[] | undefined {
  const items = LIST.exec(definition)?.groups?.["items"];
  if (items === undefined) return undefined;
  return [...items.matchAll(ITEM)].map(([, text = ""]) => text.replaceAll("''", "'"));
}
