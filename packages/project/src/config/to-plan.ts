import {
  isOwnDialect,
  findingPhases,
  isOfPhase,
  RULE_GROUPS,
  SPEC_KEYS,
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
import { appendToPointer, isObject, sortBy, dropUndefined, escapeToken, isList } from "@hasp/base/json";
import { findSuggestions, type Diagnostic, type Found, type Location } from "@hasp/base/diagnostics";
import { keywordNames, linearPattern } from "@hasp/schema/vocabulary";
import type { DialectSettings, HaspConfig } from "./config.js";
import { type DialectName, dialects as ownDialects } from "@hasp/schema";
import { createFormatCheck } from "@hasp/compiler/formats";
import { haspConfigSchema } from "./formats.js";
import { LEDGER_FOLDER } from "@hasp/compiler/claims";
import { configDiagnostics } from "./diagnostics.js";
import { findTakenFields } from "./dialects.js";
import { mergeConfigs, listSettings, findForbiddenInPreset, type ConfigFile } from "./presets.js";

interface ConfigInput {
  /** The project's own file; `undefined` if there is none. */
  readonly own: ConfigFile | undefined;
  /** The presets that it builds on, the farthest first. */
  readonly presets: readonly ConfigFile[];
  readonly knownRules: readonly string[];
  readonly unlocked: boolean;
  readonly today: string;
}

/** Checks a configuration with its presets and fills the defaults; `undefined` if it is unusable. */
export function toPlan(input: ConfigInput): Found<ProjectPlan | undefined> {
  const { own, presets } = input;
  const problems = [
    ...presets.flatMap((preset) => [...findProblems(preset), ...findForbiddenInPreset(preset)]),
    ...(own === undefined ? [] : findProblems(own)),
  ];
  if (problems.length > 0) return { value: undefined, diagnostics: problems };
  const { config, locate } = own === undefined ? NO_CONFIG : mergeConfigs(presets, own);
  const diagnostics = [
    ...findUnknownRules(config, [...input.knownRules, ...Object.keys(config.customRules ?? {})], locate),
    ...findFaultyRules(config, locate),
  ];
  const path = (key: "outDir" | "handlers", fallback: string): string => {
    const written = config[key] ?? fallback;
    const normal = normalisePath(written);
    if (normal === undefined || normal === "") {
      diagnostics.push(configDiagnostics("outside-project", locate(`/${key}`), { key, path: written }));
    }
    const foreign = findForeignFolder(normal ?? "");
    if (foreign !== undefined) {
      diagnostics.push(
        configDiagnostics("foreign-folder", locate(`/${key}`), { key, path: written, example: fallback, ...foreign }),
      );
    }
    return normal ?? written;
  };
  const outDir = path("outDir", DEFAULT_OUT_DIR);
  const handlersDir = path("handlers", "src/tools");
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
  for (const [index, entry] of (config.specs ?? []).entries()) {
    const folder = normalisePath(entry);
    // hasp finds no specs inside outDir. A folder of specs that contains outDir is a common layout.
    if (folder === undefined || folder === "" || !isWithinFolder(outDir, folder)) continue;
    const at = config.outDir === undefined ? `/specs/${index}` : "/outDir";
    diagnostics.push(configDiagnostics("out-over-specs", locate(at), { outDir, specs: entry }));
  }
  const dialects = Object.entries(dialectSettings(config)).map(([id, settings]) =>
    toDialectPlan(id as DialectName, settings),
  );
  for (const { id, extra } of dialects) {
    // `withPlugins` checks the dialects of plugins, which are loaded later.
    for (const field of isOwnDialect(id) ? findTakenFields(ownDialects[id], extra ?? {}) : []) {
      const at = `/dialects/${id}/extra/${escapeToken(field)}`;
      diagnostics.push(configDiagnostics("taken-field", locate(at, "key"), { field, dialect: id }));
    }
    if (extra !== undefined && Object.hasOwn(extra, "cache_control") && !id.startsWith("anthropic")) {
      const at = `/dialects/${id}/cacheControl`;
      diagnostics.push(configDiagnostics("no-cache-control", locate(at, "key"), { dialect: id }));
    }
  }
  for (const [name, { policy }] of Object.entries(config.toolsets ?? {})) {
    if (policy === undefined || normalisePath(policy) !== undefined) continue;
    const location = locate(`/toolsets/${escapeToken(name)}/policy`);
    diagnostics.push(configDiagnostics("outside-project", location, { key: "policy", path: policy }));
  }
  for (const [kind, setting] of Object.entries(config.callStore ?? {})) {
    if (typeof setting !== "string") continue;
    const path = kind === "module" ? setting.replace(/#.*/su, "") : setting;
    if (normalisePath(path) !== undefined) continue;
    diagnostics.push(configDiagnostics("outside-project", locate(`/callStore/${kind}`), { key: "callStore", path }));
  }
  const context = toContext(config.context);
  const [testFile = "", testName = ""] = config.testContext?.split("#") ?? [];
  const testModule = normalisePath(testFile);
  // hasp runs the module, so it must belong to the project.
  if (testModule === undefined) {
    diagnostics.push(
      configDiagnostics("outside-project", locate("/testContext"), { key: "testContext", path: testFile }),
    );
  }
  const plan: CompilePlan = dropUndefined({
    configDigests: Object.fromEntries(
      [...presets, ...(own === undefined ? [] : [own])].map(({ uri, digest }) => [uri, digest]),
    ),
    outDir,
    handlersDir,
    importExtension: config.importExtension,
    jsonLists: config.jsonLists,
    declarations: config.declarations,
    context,
    testContext: testModule === undefined || testModule === "" ? undefined : { file: testModule, name: testName },
    dialects,
    toolsets: toToolsets(config),
    connections: config.connections,
    budgets: config.budgets ?? {},
    diff: config.diff,
    rules: config.rules ?? {},
    customRules: isEmpty(config.customRules) ? undefined : config.customRules,
    overrides: config.overrides ?? [],
    ignore: config.ignore ?? [],
    exclude: config.exclude ?? [],
    unlocked: input.unlocked,
    today: input.today,
    handlerDigests: {},
    locations:
      own &&
      Object.fromEntries(listSettings(config).flatMap(([pointer, part]) => placed(pointer, locate(pointer, part)))),
  });
  const usable: ProjectPlan = dropUndefined({
    plan,
    specs: config.specs ?? ["."],
    remotes: new Map(Object.entries(config.remotes ?? {})),
    plugins: (config.plugins ?? []).map((module, index) =>
      dropUndefined({ module, location: locate(`/plugins/${index}`) }),
    ),
    callStore: config.callStore,
  });
  return { value: diagnostics.length === 0 ? usable : undefined, diagnostics };
}

function placed(pointer: string, location: Location | undefined): readonly (readonly [string, Location])[] {
  return location === undefined ? [] : [[pointer, location]];
}

const NO_CONFIG: { readonly config: HaspConfig; readonly locate: () => undefined } = {
  config: {},
  locate: () => undefined,
};

/** Finds the format errors of a file. A correct file does not even need the compiled format. */
function findProblems({ uri, value, locate }: ConfigFile): readonly Diagnostic[] {
  if (!isObject(value)) {
    return [configDiagnostics("not-an-object", locate(""), { uri })];
  }
  return checkFormat(value).map(({ kind, pointer, part, parameters }) =>
    configDiagnostics(kind, locate(pointer, part), parameters),
  );
}

const SYNONYMS: { readonly [key: string]: string } = {
  providers: "dialects",
  targets: "dialects",
  output: "outDir",
  out: "outDir",
  tools: "specs",
  input: "specs",
};

const checkFormat = createFormatCheck(haspConfigSchema, "Config", { foreign: { keys: SYNONYMS } });

function findUnknownRules(
  { rules, overrides = [], ignore = [], plugins = [] }: HaspConfig,
  known: readonly string[],
  locate: (pointer: string, part?: "key" | "value") => Location | undefined,
): readonly Diagnostic[] {
  const keys = (holder: string, severities: HaspConfig["rules"] = {}): readonly NamedRule[] =>
    Object.keys(severities).map((rule) => ({ rule, pointer: appendToPointer(holder, rule), part: "key" }));
  const named = [
    ...keys("/rules", rules),
    ...overrides.flatMap((override, index) => keys(`/overrides/${index}/rules`, override.rules)),
    ...ignore.map(({ rule }, index): NamedRule => ({ rule, pointer: `/ignore/${index}/rule`, part: "value" })),
  ];
  return (
    named
      // `check` knows the rules of plugins, which are loaded later.
      .filter(
        ({ rule }) => !known.includes(rule) && (plugins.length === 0 || isReservedPrefix(rule.split("/")[0] ?? "")),
      )
      .map(({ rule, pointer, part }) => {
        const nearest = findSuggestions(rule, known);
        return configDiagnostics(
          "unknown-rule",
          locate(pointer, part),
          isOfPhase(rule, nearest) ? { variant: "finding", rule } : { variant: "rule", rule, nearest },
        );
      })
  );
}

function isEmpty(record: object | undefined): record is undefined {
  return record === undefined || Object.keys(record).length === 0;
}

/** Finds custom rules that could be mistaken for hasp's own, or that check nothing. */
function findFaultyRules(
  { customRules = {} }: HaspConfig,
  locate: (pointer: string, part?: "key" | "value") => Location | undefined,
): readonly Diagnostic[] {
  return Object.entries(customRules).flatMap(([rule, { on, field, matches }]) => {
    const at = `/customRules/${escapeToken(rule)}`;
    const [prefix = ""] = rule.split("/");
    const [first = ""] = field.split(".");
    const fields = on === "spec" ? Object.keys(SPEC_KEYS) : [...keywordNames, ...(on === "parameter" ? ["name"] : [])];
    const problem = matches === undefined ? undefined : problemOfPattern(matches);
    return [
      ...(isReservedPrefix(prefix) ? [configDiagnostics("reserved-prefix", locate(at, "key"), { rule, prefix })] : []),
      ...(fields.includes(first) || first.startsWith("x-")
        ? []
        : [
            configDiagnostics("unknown-field", locate(`${at}/field`), {
              on,
              field: first,
              nearest: findSuggestions(first, fields),
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

interface NamedRule {
  readonly rule: string;
  readonly pointer: string;
  readonly part: "key" | "value";
}

function dialectSettings({ dialects = DEFAULT_DIALECTS }: HaspConfig): {
  readonly [id: string]: DialectSettings | null;
} {
  return isList(dialects) ? Object.fromEntries(dialects.map((id) => [id, {}])) : dialects;
}

function toDialectPlan(id: DialectName, settings: DialectSettings | null): DialectPlan {
  const plain = createPlainDialect(id);
  const { strict = plain.strict, onUncarried = plain.onUncarried, cacheControl, extra, limits } = settings ?? {};
  const fields = { ...extra, ...dropUndefined({ cache_control: cacheControl }) };
  const added = Object.keys(fields).length === 0 ? undefined : fields;
  return dropUndefined({ id, strict, onUncarried, limits, extra: added });
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
