const PROGRAM_WORDS = new Set(
  (
    "query sql command cmd script code expression expr program shell statement snippet bash powershell javascript python lua " +
    "argv graphql cypher sparql promql logql jql kql soql"
  ).split(" "),
);
export const CARRIERS: ReadonlySet<string> = new Set(
  "text string line body source content snippet input run value data raw".split(" "),
);
const COUNTERS = new Set(
  "one two three four five first second third last next previous main primary secondary default initial final".split(
    " ",
  ),
);
const PREPOSITIONS = new Set("to for by of per in on with from at".split(" "));
const MARKS = new Set(
  (
    "access airline airport area auth authorization booking carrier city color colour confirmation country coupon course currency " +
    "department discount error exit hex iata icao iso item language locale otp pin post postal product promo promotion province " +
    "reason reference referral region security sku state station status stock time tracking unit verification zip zone"
  ).split(" "),
);
const PLACES = new Set(
  "path file filename name id dir directory folder url uri type language lang kind format version mode title".split(
    " ",
  ),
);
const PREFIXES = new Set(
  (
    "raw run my user custom pre build test start setup init install deploy exec db database sub full system host remote inline " +
    "source term terminal console shell"
  ).split(" "),
);

const INTERPRETERS =
  "sql|psql|mysql|sqlite|postgres(?:ql)?|duckdb|bigquery|cypher|graphql|promql|sparql|(?:/bin/)?(?:ba|z|k|c)?sh|shell|powershell|pwsh|command[- ]line|command prompt|cmd(?:\\.exe)?|terminal|javascript|typescript|python\\d*|node\\.js|lua|ruby|perl|php|awk|jq|osascript|applescript|interpreter";
const PROGRAM_NOUNS =
  "quer(?:y|ies)|statements?|expressions?|commands?|scripts?|snippets?|instructions?|code|programs?|functions?|one-?liners?|lines?|invocations?";
const SAYS_PROGRAM = new RegExp(
  [
    `\\b(?:${INTERPRETERS}) (?:${PROGRAM_NOUNS})\\b`,
    `\\b(?:${PROGRAM_NOUNS}|text|string|source|content) (?:for|of|in|to) (?:an? |the )?(?:${INTERPRETERS})(?![\\w-])`,
    `\\b(?:run|runs|executed?|evaluated?|interpreted|passed|sent|piped|fed|given|handed) (?:by|in|with|on|to|through|via) (?:an? |the |your )?(?:${INTERPRETERS})(?![\\w-])`,
    "\\b(?:code|script|function|expression) (?:to|that will) (?:be )?(?:run|execute|executed|evaluate|evaluated)\\b",
    "\\) ?=> ?\\{",
  ].join("|"),
  "i",
);

export function saysProgram(description: string): boolean {
  return SAYS_PROGRAM.test(description);
}

/** Splits a name into lower-case words: `rawSQL2` is raw, sql, 2. */
export function splitName(name: string): readonly string[] {
  if (/^[a-z]+(?:_[a-z]+)*$/u.test(name)) return name.split("_");
  return name
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/gu, "$1_$2")
    .replaceAll(/([A-Za-z])(\d)/gu, "$1_$2")
    .replaceAll(/(\d)([A-Za-z])/gu, "$1_$2")
    .toLowerCase()
    .split(/[_\W]+/u)
    .filter((word) => word !== "");
}

export function namesLocation(words: readonly string[]): boolean {
  return PLACES.has(singular(withoutCounter(words).at(-1) ?? ""));
}

export function findProgramWord(words: readonly string[]): string | undefined {
  const preposition = words.findIndex((word, index) => index > 0 && PREPOSITIONS.has(word));
  const whole = endingWord(withoutCounter(words));
  return whole ?? (preposition === -1 ? undefined : endingWord(withoutCounter(words.slice(0, preposition))));
}

export function namesPrograms(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  return singular(last) !== last && findProgramWord(words) !== undefined;
}

function endingWord(words: readonly string[]): string | undefined {
  const last = singular(words.at(-1) ?? "");
  const isCarried = words.length > 1 && CARRIERS.has(last) && !PROGRAM_WORDS.has(last);
  const named = isCarried ? withoutCounter(words.slice(0, -1)) : words;
  const word = programIn(named.at(-1) ?? "");
  return word === "code" && MARKS.has(named.at(-2) ?? "") ? undefined : word;
}

/** Returns the program word in a word, also in a compound: `commandline`, `rawsql`. */
function programIn(word: string): string | undefined {
  const one = singular(word);
  if (PROGRAM_WORDS.has(one)) return one;
  for (const program of PROGRAM_WORDS) {
    const head = one.endsWith(program) && one.slice(0, -program.length);
    if (head !== false && (PREFIXES.has(head) || PROGRAM_WORDS.has(head))) return program;
    if (one.startsWith(program) && CARRIERS.has(one.slice(program.length))) return program;
  }
  return undefined;
}

/** Removes trailing words that number things, except for the first word. */
function withoutCounter(words: readonly string[]): readonly string[] {
  const last = words.findLastIndex((word) => !/^(?:\d+|[a-z])$/u.test(word) && !COUNTERS.has(word));
  return words.slice(0, Math.max(last, 0) + 1);
}

function singular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}
