const LANGUAGES = ["ts", "tsx", "js", "jsx"] as const;

/** The endings of files that hold code. */
export const CODE_ENDINGS: readonly string[] = ["", "c", "m"].flatMap((module) =>
  LANGUAGES.map((language) => `.${module}${language}`),
);

/** The endings that Node, TypeScript and bundlers add to the path of an import. */
export const ADDED_ENDINGS: readonly string[] = [...CODE_ENDINGS, ".json", ".node"];
