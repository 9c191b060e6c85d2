import { isEnumerated, type Parameter } from "@hasp/compiler/plugin";

const NUMBER = "(-?\\d[\\d_]*(?:\\.\\d+)?)(?![\\w:]|[.,/-]\\d)";
const MOST = "(?:max(?:imum)?(?: value)?(?: is| of)?|at most|up to|no more than|not exceed(?:ing)?)";
const LEAST = "(?:min(?:imum)?(?: value)?(?: is| of)?|at least|no less than)";
const GAP = "[\\s:=`'\"]{1,3}";

interface ProseBound {
  readonly type: "number" | "string" | "array";
  readonly keyword: "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems";
  readonly pattern: RegExp;
}

const UNITS = { number: "", string: " (?:characters?|chars?)\\b", array: " (?:items?|elements?|entries)\\b" } as const;

const BOUNDS: readonly ProseBound[] = [
  ...(["number", "string", "array"] as const).flatMap((type): ProseBound[] => {
    const [least, most] = (
      { number: ["minimum", "maximum"], string: ["minLength", "maxLength"], array: ["minItems", "maxItems"] } as const
    )[type];
    return [
      { type, keyword: least, pattern: new RegExp(`\\b${LEAST}${GAP}${NUMBER}${UNITS[type]}`, "iu") },
      { type, keyword: most, pattern: new RegExp(`\\b${MOST}${GAP}${NUMBER}${UNITS[type]}`, "iu") },
    ];
  }),
  {
    type: "number",
    keyword: "maximum",
    pattern: /\bbetween -?\d[\d.]*(?: \([^()]{0,40}\))? and (-?\d+(?:\.\d+)?)\b/iu,
  },
];

/** Keywords that bound a type; one suffices to show that the author thought of it. */
const BOUNDING = {
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  string: ["minLength", "maxLength", "pattern", "format"],
  array: ["minItems", "maxItems"],
} as const;

interface StatedBound {
  readonly words: string;
  readonly keyword: string;
  readonly bound: string;
}

export function findUnstatedBound(parameter: Parameter): StatedBound | undefined {
  const { schema, description, types } = parameter;
  if (description === "" || isEnumerated(parameter)) return undefined;
  for (const { type, keyword, pattern } of BOUNDS) {
    const isOfType = types.has(type) || (type === "number" && types.has("integer"));
    if (!isOfType || BOUNDING[type].some((word) => schema[word] !== undefined)) continue;
    const [words = "", bound] = pattern.exec(description) ?? [];
    if (bound !== undefined) return { words, keyword, bound: bound.replaceAll("_", "") };
  }
  return undefined;
}
