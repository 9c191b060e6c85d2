import {
  isOwnDialect,
  findingPhases,
  isOfPhase,
  RULE_GROUPS,
  SPEC_KEYS,
  type CustomRule,
  type NamedPlugin,
  type ProjectPlan,
  type ToolsetPlan,
  DEFAULT_DIALECTS,
  createPlainDialect,
  DEFAULT_OUT_DIR,
  isWithinFolder,
  findForeignFolder,
  normalisePath,
} from "@hasp/compiler/model";
import type { CompilePlan, DialectPlan } from "@hasp/compiler";
import { clients } from "@hasp/builtin";
import { isObject, sortBy, dropUndefined, escapeToken, isList, own, pickMembers, toRecord } from "@hasp/base/json";
import { createLocation, findSuggestions, type Diagnostic, type Found } from "@hasp/base/diagnostics";
import { CACHE_MARK } from "@hasp/schema/internal/keywords";
import { keywordNames, linearPattern } from "@hasp/schema/vocabulary";
import type { DialectSettings, HaspConfig } from "./config.js";
import { type DialectLimits, type DialectName, dialects as ownDialects } from "@hasp/schema";
import { createFormatCheck, EARLIER_KEYS, MOVED_KEYS, type FormatCheck } from "@hasp/compiler/formats";
import { haspConfigSchema } from "./formats.js";
import { LEDGER_FOLDER } from "@hasp/compiler/claims";
import { configDiagnostics } from "./diagnostics.js";
import { findTakenFields } from "./dialects.js";
import { mergeConfigs, listSettings, findForbiddenInPreset, type ConfigFile } from "./presets.js";
import { type PlacedSetting, sortFindings } from "./findings.js";

interface ConfigInput {
  /** The project's own file; `undefined` if there is none. */
  readonly own: ConfigFile | undefined;
  /** The presets that it builds on, the farthest first. */
  readonly presets: readonly ConfigFile[];
  /** The files of rules that they name under `plugins`, in the same order. */
  readonly ruleFiles: readonly ConfigFile[];
  readonly knownRules: readonly string[];
  readonly unlocked: boolean;
  readonly today: string;
}

/** Checks a configuration with its presets and fills the defaults; `undefined` if it is unusable. */
export function toPlan(input: ConfigInput): Found<ProjectPlan | undefined> {
  const { own, presets, ruleFiles } = input;
  const files = own === undefined ? presets : [...presets, own];
  const problems = [
    ...files.flatMap((file) => findProblems(file, checkConfig)),
    ...ruleFiles.flatMap((file) => findProblems(file, checkRules)),
  ];
  if (problems.length === 0) problems.push(...presets.flatMap(findForbiddenInPreset));
  if (problems.length > 0) return { value: undefined, diagnostics: problems };
  const { config, customRules, findings, plugins, locate, locateRule } = mergeConfigs(
    presets,
    own ?? NO_FILE,
    ruleFiles,
  );
  const diagnostics = [
    ...findUnknownRules(findings, plugins, [...input.knownRules, ...Object.keys(customRules)]),
    ...findFaultyRules(customRules, locateRule),
  ];
  const sorted = sortFindings(findings);
  const folders = readFolders(config, locate);
  const { outDir, handlersDir } = folders.value;
  const dialects = Object.entries(dialectSettings(config)).map(([id, settings]) =>
    toDialectPlan(id as DialectName, settings),
  );
  const { type, test = "" } = typeof config.context === "object" ? config.context : { type: config.context };
  const [testFile = "", testName = ""] = test.split("#");
  const testModule = normalisePath(testFile) ?? "";
  diagnostics.push(
    ...folders.diagnostics,
    ...findFaultyFields(dialects, locate),
    ...findRaisedLimits(dialects, locate),
  );
  if (config.clients !== undefined && !dialects.some(({ id }) => /^mcp|\//u.test(id))) {
    diagnostics.push(configDiagnostics("no-list-for-clients", locate("/clients", "key")));
  }
  diagnostics.push(...findOutsideFiles(config, testFile, locate));
  const plan: CompilePlan = dropUndefined({
    configDigests: Object.fromEntries([...files, ...ruleFiles].map(({ uri, digest }) => [uri, digest])),
    outDir,
    handlersDir,
    ...config.emit,
    context: toContext(type),
    testContext: testModule === "" ? undefined : { file: testModule, name: testName },
    dialects,
    clients: config.clients?.map((id) => clients[id] ?? { id, title: id, facts: {} }),
    toolsets: toToolsets(config),
    connections: config.connections,
    instructions: config.serve?.instructions,
    budgets: config.budgets ?? {},
    diff: config.diff,
    approvals: config.approvals,
    ...sorted.plan,
    customRules: Object.keys(customRules).length === 0 ? undefined : customRules,
    unlocked: input.unlocked,
    today: input.today,
    handlerDigests: {},
    locations:
      own &&
      Object.fromEntries([
        ...listSettings(config).map(([pointer, part]) => [pointer, locate(pointer, part)] as const),
        ...sorted.locations,
        ...Object.keys(customRules).map((rule) => {
          const id = escapeToken(rule);
          return [`/customRules/${id}`, locateRule(`/rules/${id}`, "key")] as const;
        }),
      ]),
  });
  const usable: ProjectPlan = dropUndefined({
    plan,
    specs: config.specs ?? ["."],
    remotes: new Map(Object.entries(config.remotes ?? {})),
    plugins,
    callStore: config.callStore,
  });
  return { value: diagnostics.length === 0 ? usable : undefined, diagnostics };
}

const NO_FILE: ConfigFile = { uri: "", value: {}, digest: "", locate: () => createLocation("") };

/** Finds the format errors of a file. A correct file does not even need the compiled format. */
function findProblems({ uri, value, locate }: ConfigFile, checkFormat: FormatCheck): readonly Diagnostic[] {
  if (!isObject(value)) {
    return [configDiagnostics("not-an-object", locate(""), { uri })];
  }
  const earlier = Object.keys(value).filter((key) => checkFormat === checkConfig && Object.hasOwn(EARLIER_KEYS, key));
  return [
    ...earlier.map((key) =>
      configDiagnostics("earlier-key", locate(`/${key}`, "key"), { key, form: EARLIER_KEYS[key] ?? "" }),
    ),
    ...checkFormat(pickMembers(value, (key) => !earlier.includes(key))).map(({ kind, pointer, part, parameters }) =>
      configDiagnostics(kind, locate(pointer, part), parameters),
    ),
  ];
}

/** Reads the folders of generated files and of handlers, which nothing else may share. */
function readFolders(
  config: HaspConfig,
  locate: ConfigFile["locate"],
): Found<Pick<CompilePlan, "outDir" | "handlersDir">> {
  const diagnostics: Diagnostic[] = [];
  const read = (key: "outDir" | "handlers", fallback: string): string => {
    const path = config[key] ?? fallback;
    const normal = normalisePath(path);
    if (normal === undefined || normal === "") {
      diagnostics.push(configDiagnostics("outside-project", locate(`/${key}`), { key, path }));
    }
    const foreign = findForeignFolder(normal ?? "");
    if (foreign !== undefined) {
      diagnostics.push(
        configDiagnostics("foreign-folder", locate(`/${key}`), { key, path, example: fallback, ...foreign }),
      );
    }
    return normal ?? path;
  };
  const outDir = read("outDir", DEFAULT_OUT_DIR);
  const handlersDir = read("handlers", "src/tools");
  if (isWithinFolder(handlersDir, outDir) || isWithinFolder(outDir, handlersDir)) {
    const at = config.handlers === undefined ? "/outDir" : "/handlers";
    diagnostics.push(configDiagnostics("folders-overlap", locate(at), { outDir, handlers: handlersDir }));
  }
  if (isWithinFolder(LEDGER_FOLDER, outDir)) {
    diagnostics.push(configDiagnostics("out-over-ledger", locate("/outDir"), { outDir }));
  }
  if (isWithinFolder(LEDGER_FOLDER, handlersDir)) {
    diagnostics.push(configDiagnostics("handlers-over-ledger", locate("/handlers"), { handlers: handlersDir }));
  }
  for (const [index, specs] of (config.specs ?? []).entries()) {
    const folder = normalisePath(specs);
    // hasp finds no specs inside outDir. A folder of specs that contains outDir is a common layout.
    if (folder === undefined || folder === "" || !isWithinFolder(outDir, folder)) continue;
    const at = config.outDir === undefined ? `/specs/${index}` : "/outDir";
    diagnostics.push(configDiagnostics("out-over-specs", locate(at), { outDir, specs }));
  }
  return { value: { outDir, handlersDir }, diagnostics };
}

/** Finds files outside the project: hasp reads or runs them. */
function findOutsideFiles(
  { toolsets = {}, callStore }: HaspConfig,
  testFile: string,
  locate: ConfigFile["locate"],
): readonly Diagnostic[] {
  const files: readonly (readonly [pointer: string, path: string, key: string])[] = [
    ...Object.entries(toolsets).map(
      ([name, { policy = "" }]) => [`/toolsets/${escapeToken(name)}/policy`, policy, "policy"] as const,
    ),
    ...Object.entries(callStore ?? {}).flatMap(([kind, place]) => {
      if (typeof place !== "string") return [];
      const path = kind === "module" ? place.replace(/#.*/su, "") : place;
      return [[`/callStore/${kind}`, path, "callStore"] as const];
    }),
    ["/context/test", testFile, "context.test"],
  ];
  return files
    .filter(([, path]) => normalisePath(path) === undefined)
    .map(([pointer, path, key]) => configDiagnostics("outside-project", locate(pointer), { key, path }));
}

/** Finds added fields that hasp writes itself, or that the provider does not have. */
function findFaultyFields(dialects: readonly DialectPlan[], locate: ConfigFile["locate"]): readonly Diagnostic[] {
  return dialects.flatMap(({ id, extra = {} }) => {
    // `withPlugins` checks the dialects of plugins, which are loaded later.
    const found = (isOwnDialect(id) ? findTakenFields(ownDialects[id], extra) : []).map((field) => {
      const at = locate(`/dialects/${id}/extra/${escapeToken(field)}`, "key");
      return configDiagnostics("taken-field", at, { field, dialect: id });
    });
    if (!Object.hasOwn(extra, CACHE_MARK) || id.startsWith("anthropic")) return found;
    const at = locate(`/dialects/${id}/cacheControl`, "key");
    return [...found, configDiagnostics("no-cache-control", at, { dialect: id })];
  });
}

/** Finds limits above those of hasp's dialects, which the API would refuse all the same. */
function findRaisedLimits(dialects: readonly DialectPlan[], locate: ConfigFile["locate"]): readonly Diagnostic[] {
  return dialects.flatMap(({ id, limits = {} }) => {
    const own: DialectLimits = isOwnDialect(id) ? ownDialects[id].limits : {};
    return Object.entries(limits).flatMap(([name, limit]) => {
      const most = Number(own[name as keyof DialectLimits] ?? Infinity);
      const at = locate(`/dialects/${id}/limits/${name}`);
      return limit <= most ? [] : [configDiagnostics("limit-above", at, { dialect: id, limit: name, most })];
    });
  });
}

const SYNONYMS: { readonly [key: string]: string } = {
  providers: "dialects",
  targets: "dialects",
  output: "outDir",
  out: "outDir",
  tools: "specs",
  input: "specs",
};

const checkConfig = createFormatCheck(haspConfigSchema, "Config", { foreign: { keys: SYNONYMS } });
const checkRules = createFormatCheck(haspConfigSchema, "RuleFile");

function findUnknownRules(
  findings: readonly PlacedSetting[],
  plugins: readonly NamedPlugin[],
  known: readonly string[],
): readonly Diagnostic[] {
  return findings.flatMap(({ entry: { rule }, locate }) => {
    // `check` knows the rules of plugins, which are loaded later.
    const isKnown =
      rule === undefined || known.includes(rule) || (plugins.length > 0 && !isReservedPrefix(rule.split("/")[0] ?? ""));
    if (isKnown) return [];
    const nearest = findSuggestions(rule, known);
    const parameters = isOfPhase(rule, nearest)
      ? ({ variant: "finding", rule } as const)
      : ({ variant: "rule", rule, nearest } as const);
    return [configDiagnostics("unknown-rule", locate("rule"), parameters)];
  });
}

/** Finds custom rules that could be mistaken for hasp's own, or that check nothing. */
function findFaultyRules(
  customRules: { readonly [id: string]: CustomRule },
  locate: ConfigFile["locate"],
): readonly Diagnostic[] {
  return Object.entries(customRules).flatMap(([rule, { on, field, matches }]) => {
    const at = `/rules/${escapeToken(rule)}`;
    const [prefix = ""] = rule.split("/");
    const [first = ""] = field.split(".");
    const fields = on === "spec" ? Object.keys(SPEC_KEYS) : [...keywordNames, ...(on === "parameter" ? ["name"] : [])];
    const moved = on === "spec" ? own(MOVED_KEYS, field)?.to : undefined;
    const isKnown = moved === undefined && (fields.includes(first) || first.startsWith("x-"));
    const problem = matches === undefined ? undefined : problemOfPattern(matches);
    return [
      ...(isReservedPrefix(prefix) ? [configDiagnostics("reserved-prefix", locate(at, "key"), { rule, prefix })] : []),
      ...(isKnown
        ? []
        : [
            configDiagnostics("unknown-field", locate(`${at}/field`), {
              on,
              field: moved === undefined ? first : field,
              nearest: moved === undefined ? findSuggestions(first, fields) : [moved],
            }),
          ]),
      ...(problem === undefined
        ? []
        : [configDiagnostics("slow-pattern", locate(`${at}/matches`), { pattern: matches ?? "", problem })]),
    ];
  });
}

function isReservedPrefix(prefix: string): boolean {
  return findingPhases.has(prefix) || RULE_GROUPS.some((group) => group === prefix);
}

function problemOfPattern(pattern: string): string | undefined {
  try {
    return linearPattern(pattern) === undefined ? "cannot be matched in linear time" : undefined;
  } catch {
    return "is not a regular expression";
  }
}

function dialectSettings({ dialects = DEFAULT_DIALECTS }: HaspConfig): {
  readonly [id: string]: DialectSettings | null;
} {
  return isList(dialects) ? toRecord(dialects, () => ({})) : dialects;
}

function toDialectPlan(id: DialectName, settings: DialectSettings | null): DialectPlan {
  const { cacheControl, extra, ...others } = settings ?? {};
  const fields = { ...extra, ...dropUndefined({ [CACHE_MARK]: cacheControl }) };
  const added = Object.keys(fields).length === 0 ? {} : { extra: fields };
  return { ...createPlainDialect(id), ...others, ...added };
}

function toToolsets({ toolsets, flow: common }: HaspConfig): readonly ToolsetPlan[] {
  return sortBy(
    Object.entries(toolsets ?? { all: {} }).map(
      ([name, { include = "all" as const, exclude = [], partial, policy, flow = common }]) =>
        dropUndefined({
          name,
          include,
          exclude,
          flow,
          partial,
          policy: policy === undefined ? undefined : (normalisePath(policy) ?? policy),
        }),
    ),
    ({ name }) => name,
  );
}

function toContext(context: string | undefined): CompilePlan["context"] {
  if (context === undefined) return undefined;
  const [file = "", type = ""] = context.split("#");
  return { file: normalisePath(file) ?? file, type };
}
