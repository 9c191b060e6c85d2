import ignore from "ignore";
import { posix } from "node:path";
import {
  type CallStoreSetting,
  type SourceText,
  ignoreProgress,
  loadSource,
  type OnProgress,
  type CompilePlan,
  type Plugins,
  CompileCache,
} from "@hasp/compiler";
import { configDiagnostics } from "../config/diagnostics.js";
import { withPlugins } from "../config/dialects.js";
import { attempt, createLocation, type Diagnostic, type Found, hasErrors } from "@hasp/base/diagnostics";
import { LEDGER_FOLDER, readPolicyName } from "@hasp/compiler/claims";
import {
  listDeclaredTools,
  type ProjectPlan,
  type StubTemplates,
  DEFAULT_OUT_DIR,
  isWithinFolder,
  normalisePath,
  isRemote,
  listReferencedPaths,
} from "@hasp/compiler/model";
import { MOVED_KEYS, pointToKey } from "@hasp/compiler/formats";
import { listPeers, listPluginKinds } from "@hasp/compiler/handlers";
import { locateHandlerFiles, mayHoldName } from "@hasp/compiler/layout";
import { parseSource, stubTemplatePaths, stubTemplates } from "@hasp/compiler/source";
import { dropUndefined, findValueAt, isObject, own, readOwnMember, sortBy, toList } from "@hasp/base/json";
import { readHandlers } from "../output/previous-manifest.js";
import { CONFIG_NAMES, SIDE_NAME } from "./file-names.js";
import { checkOutputFolder, findHandlerTwins, reportOutputTwins } from "./loaded-files.js";
import { projectDiagnostics } from "./diagnostics.js";
import { CODE_ENDINGS } from "../modules/code-endings.js";
import { findCommandFiles } from "./command-files.js";
import { digestModules } from "./digest-modules.js";
import { createImportResolver } from "./resolve-imports.js";
import type { ForeignPlugins } from "@hasp/compiler/plugins";
import { builtInPlugins } from "../plugins/built-in.js";
import type { LoadedPlugins } from "./load-plugins.js";
import { createCompilerHost } from "./compiler-host.js";
import type { CompilerHost } from "./host-questions.js";
import { readPlan } from "./read-plan.js";
import { findSpecs } from "./specs-of-project.js";

/** Settings of {@link readProject}. */
interface ReadProjectOptions {
  /** Path of the configuration, relative to the root. */
  readonly config?: string | undefined;
  /** Continues without approvals. */
  readonly unlocked?: boolean;
  /** Reads a configuration of an earlier version, too, which may have no specs yet. */
  readonly isEarlier?: boolean;
  /** `YYYY-MM-DD`. Default: the machine's own date. */
  readonly today?: string;
  /** Replaces the disk, for example to track what is read. */
  readonly host?: CompilerHost;
  /** The results of earlier compilations; pass the same cache to `compile`. */
  readonly cache?: CompileCache;
  /**
   * Names of tools, to read only what these need: the specs and approvals that may name them, and their references.
   * Findings about other tools are left out.
   */
  readonly tools?: readonly string[];
  readonly onProgress?: OnProgress;
}

interface Project {
  readonly sources: readonly SourceText[];
  /** `undefined` if nothing can be checked; the diagnostics say why. */
  readonly plan: CompilePlan | undefined;
  /** The place of the host's calls. */
  readonly callStore?: CallStoreSetting;
  /** Those built in, and the configured ones; pass them to `compile`. */
  readonly plugins: Plugins;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads everything that compiling a project needs. A spec or shared file that cannot be read or parsed is left for
 * `compile` to report. Without a plan, nothing can be checked, and the diagnostics say why.
 */
export async function readProject(root: string, options: ReadProjectOptions = {}): Promise<Project> {
  const { host = createCompilerHost(root), cache = new CompileCache(), onProgress = ignoreProgress } = options;
  onProgress("Reading files");
  const { value: project, diagnostics } = await readPlan(root, host, options);
  if (project === undefined) return refused(diagnostics);

  const { value: plugins, diagnostics: faults } = await pluginsOf(root, host, project);
  const joined = withPlugins(project.plan, plugins?.plans ?? []);
  if (faults.length > 0) return refused(faults);
  if (hasErrors(joined.diagnostics)) return refused(joined.diagnostics);
  const overlaps = await findSharedOutput(host, options.config, project.plan);
  if (overlaps.length > 0) return refused(overlaps);
  const found = await findSpecs(host, project, options.isEarlier);
  if (found.diagnostics.length > 0) return refused(found.diagnostics);
  const named = options.tools === undefined ? undefined : mayHoldName(options.tools);
  const isNeeded = ({ text }: SourceText): boolean => named === undefined || named.test(text) || HIDING.test(text);
  const read = (await readAll(host, found.value, "spec")).filter(isNeeded);
  const specs = options.isEarlier === true ? await Promise.all(read.map(modernizeSpecs)) : read;
  const templates = await readStubTemplates(host);
  const shared = await readReferenced(host, specs, project.remotes, cache, onProgress);
  // A policy is about all tools of a toolset: it cannot be checked with some of them.
  const plan = named === undefined ? joined.value : withoutPolicies(joined.value);
  const policies = await readAll(host, policyPaths(plan), "policy");
  const approvals = await findLedgers(host);
  if (approvals.diagnostics.length > 0) return refused(approvals.diagnostics);
  const names = specs.map((source) => namesIn(source, cache));
  const ledgerPaths = await ownLedgers(host, approvals.value, {
    config: options.config,
    plan: project.plan,
    tools: names.flat(),
    policies: policyPaths(project.plan),
  });
  const ledgers = (await readAll(host, ledgerPaths, "ledger")).filter(isNeeded);
  const twins = [
    ...(await findHandlerTwins(host, names.flat(), project.plan)),
    ...(options.isEarlier === true
      ? []
      : await findLedgerTwins(host, root, { config: options.config, specs, names, ledgers: ledgerPaths, cache })),
  ];
  // Only approvals end: without any, no day is asked for, and the findings hold on every day.
  const today = options.today ?? (ledgers.length > 0 ? await host.ask("today", null) : project.plan.today);
  const contextMembers = await readContextMembers(host, specs.some(mayName("context")), plan);
  const server = plan.clients === undefined ? undefined : await readServerName(host);
  const missingPeers = await findMissingPeers(host, plan);
  const resolver = createImportResolver(host);
  const handlers = await handlersToRead(host, specs, names, project.plan);
  const documents = specs.flatMap((source) => loadSource(source, cache).value ?? []);
  const commandFiles = await findCommandFiles(host, resolver, documents, plan);
  const handlerDigests = await digestModules(
    host,
    [...new Set([...handlers.filter((path) => named?.test(path) !== false), ...Object.values(commandFiles).flat()])],
    project.plan.outDir,
    { resolver },
  );
  return {
    sources: [...specs, ...shared, ...policies, ...ledgers],
    plan: {
      ...plan,
      today,
      handlerDigests,
      ...(Object.keys(commandFiles).length === 0 ? {} : { commandFiles }),
      ...dropUndefined({ stubTemplates: templates.value, contextMembers, server }),
      ...(missingPeers.length === 0 ? {} : { missingPeers }),
    },
    ...dropUndefined({ callStore: project.callStore }),
    // All projects share the built-in plugins, so that each handler kind loads once.
    plugins: plugins === undefined ? builtInPlugins : { ...builtInPlugins, foreign: plugins.foreign },
    diagnostics: [
      ...(named === undefined
        ? [
            ...findUnusedOverrides(project.plan, [...specs, ...shared]),
            ...(await reportOutputTwins(host, project.plan.outDir)),
          ]
        : []),
      ...joined.diagnostics,
      ...templates.diagnostics,
      ...twins,
      ...(await checkOutputFolder(
        host,
        resolver,
        project.plan.outDir,
        Object.keys(builtInPlugins.handlerKinds.entries),
      )),
    ],
  };
}

/** Loads the plugins of a project; `undefined` if it names none. */
async function pluginsOf(
  root: string,
  host: CompilerHost,
  project: ProjectPlan,
): Promise<Found<LoadedPlugins | undefined>> {
  if (project.plugins.length === 0) return { value: undefined, diagnostics: [] };
  const { loadPlugins } = await import("./load-plugins.js");
  return loadPlugins(root, host, project);
}

function withoutPolicies(plan: CompilePlan): CompilePlan {
  return { ...plan, toolsets: plan.toolsets.map((toolset) => ({ ...toolset, policy: undefined })) };
}

function policyPaths({ toolsets }: CompilePlan): readonly string[] {
  return [...new Set(toolsets.flatMap(({ policy }) => policy ?? []))].toSorted();
}

/** Quoted text may escape any letter of a word, or break the word over two lines. */
const HIDING = /\\[xuU\r\n]/u;

/**
 * Returns the paths of the handlers whose code affects findings: all if a function of one may be approved, else those
 * that a rule asks about.
 * @param names - The names of the tools of each spec.
 */
async function handlersToRead(
  host: CompilerHost,
  specs: readonly SourceText[],
  names: readonly (readonly string[])[],
  plan: CompilePlan,
): Promise<readonly string[]> {
  // A link to a handler counts as a handler.
  const listHandlers = async (): Promise<readonly string[]> => {
    const { files, oddities } = await host.ask("folder", { folder: plan.handlersDir, endings: CODE_ENDINGS });
    const links = oddities.flatMap(({ name }) => (name === "." ? [] : [name]));
    return [...files, ...links].toSorted().map((name) => `${plan.handlersDir}/${name}`);
  };
  if (specs.some(mayName("function"))) return listHandlers();
  const isAskedAbout = specs.map(mayName("handler"));
  if (!isAskedAbout.includes(true)) return [];
  const present = await listHandlers();
  if (present.length === 0) return [];
  const paths = locateHandlerFiles(names.flat(), plan);
  const asked = names.flatMap((each, index) => (isAskedAbout[index] === true ? each : []));
  const wanted = new Set(asked.map((name) => paths.get(name)));
  return present.filter((path) => wanted.has(path));
}

function namesIn(source: SourceText, cache: CompileCache): readonly string[] {
  const document = loadSource(source, cache).value;
  return document === undefined ? [] : listDeclaredTools([document]).map(({ name }) => name);
}

/** Reads the members of the context's type if a spec may name one and all of them can be read. */
async function readContextMembers(
  host: CompilerHost,
  isNeeded: boolean,
  { context }: CompilePlan,
): Promise<CompilePlan["contextMembers"]> {
  if (context === undefined || !isNeeded) return undefined;
  const source = await host.ask("text", { uri: context.file, role: "shared" });
  if (source === undefined || source.unreadable !== undefined) return undefined;
  const { typeMembers } = await import("@hasp/builtin/modules");
  return typeMembers(context.file, source.text, context.type);
}

/** Reads the name of the project's package without its scope: clients put it before the names of a server's tools. */
async function readServerName(host: CompilerHost): Promise<string | undefined> {
  const manifest = await host.ask("settings", "package.json");
  const name: unknown = readOwnMember(
    attempt(() => JSON.parse(manifest?.text ?? "") as unknown),
    "name",
  );
  return typeof name === "string" ? name.replace(/^.*\//u, "") : undefined;
}

/** Finds the missing packages of connections and of plugins' handler kinds, once the runtime itself is installed. */
async function findMissingPeers(host: CompilerHost, plan: CompilePlan): Promise<readonly string[]> {
  const kinds = listPluginKinds(plan).map(({ module }) => module);
  const peers = await listPeers(Object.values(plan.connections ?? {}), builtInPlugins.handlerKinds);
  const needed = [...new Set([...peers, ...kinds])];
  if (needed.length === 0) return [];
  const found = await host.ask("packages", ["@hasp/runtime", ...needed]);
  return found.includes("@hasp/runtime") ? needed.filter((name) => !found.includes(name)) : [];
}

/** Names in the text of a spec that require other files. */
const MENTIONS = {
  /** A field of the context. */
  context: (text) => (/\b(?:needs|handler)\b/u.test(text) && /\bcontext\b/u.test(text)) || HIDING.test(text),
  /** Facts about the handler that rules ask for: its retries, its isolation of a model's programs. */
  handler: (text) =>
    // Without the flag `u`, six times as fast. The last two are what `iu` takes for an s and a k.
    /\bmaxRetries\b|command|cmd|(?<!de)script|shell|code|program|\bsh\b|python|ruby|perl|php|lua|terminal|[\u017f\u212a]/i.test(
      text,
    ),
  /** A function that the handler must export. */
  function: (text) => /\bcustom\b/u.test(text) || HIDING.test(text),
} satisfies Readonly<Record<string, (text: string) => boolean>>;

/** Creates a test for specs that may name something. */
function mayName(what: keyof typeof MENTIONS): (source: SourceText) => boolean {
  return ({ text }) => MENTIONS[what](text);
}

async function readStubTemplates(host: CompilerHost): Promise<Found<StubTemplates | undefined>> {
  const present = await host.ask("present", stubTemplatePaths);
  return stubTemplates(
    await readAll(
      host,
      present.map(({ path }) => path),
      "config",
    ),
  );
}

/** Returns the paths of all specs of a project, without reading them; `undefined` if the configuration is unusable. */
export async function findSpecPaths(root: string, config?: string): Promise<readonly string[] | undefined> {
  const host = createCompilerHost(root);
  const { value: project } = await readPlan(root, host, { config });
  return project && (await findSpecs(host, project)).value;
}

/** Reads the configuration of a project with its defaults filled, but not its specs. */
export async function readProjectPlan(
  root: string,
  config?: string,
): Promise<Found<(ProjectPlan & { readonly foreign?: ForeignPlugins }) | undefined>> {
  const host = createCompilerHost(root);
  const read = await readPlan(root, host, { config });
  if (read.value === undefined) return read;
  const { value: loaded, diagnostics } = await pluginsOf(root, host, read.value);
  if (diagnostics.length > 0) return { value: undefined, diagnostics };
  const { value: plan, diagnostics: problems } = withPlugins(read.value.plan, loaded?.plans ?? []);
  if (hasErrors(problems)) return { value: undefined, diagnostics: problems };
  const foreign = loaded === undefined ? {} : { foreign: loaded.foreign };
  return { value: { ...read.value, plan, ...foreign }, diagnostics: [...read.diagnostics, ...problems] };
}

/** Reports overrides that cover nothing: a misspelt path would silently lose its stricter settings. */
function findUnusedOverrides(
  { overrides, locations = {} }: CompilePlan,
  files: readonly SourceText[],
): readonly Diagnostic[] {
  const uris = files.map(({ uri }) => uri).filter((uri) => !isRemote(uri));
  return overrides.flatMap(({ path }, index) => {
    const covered = ignore().add(path);
    if (uris.some((uri) => covered.ignores(uri))) return [];
    return [configDiagnostics("unused-override", locations[`/overrides/${index}/path`], { path })];
  });
}

async function readAll(
  host: CompilerHost,
  paths: readonly string[],
  role: SourceText["role"],
): Promise<readonly SourceText[]> {
  const read: SourceText[] = [];
  for (const uri of paths) {
    const source = await host.ask("text", { uri, role });
    if (source === undefined) continue;
    read.push(source);
  }
  return read;
}

/** Returns the paths of all ledgers, sorted. An unreadable one is reported, since nobody would see its approvals. */
async function findLedgers(host: CompilerHost): Promise<Found<readonly string[]>> {
  const { files: names, oddities } = await host.ask("folder", { folder: LEDGER_FOLDER, endings: [".yaml", ".yml"] });
  const diagnostics = oddities.map(({ name, what }) =>
    projectDiagnostics("approval-not-a-file", undefined, {
      variant: name === "." ? "folder" : "entry",
      path: posix.join(LEDGER_FOLDER, name),
      what,
    }),
  );
  return { value: names.map((name) => `${LEDGER_FOLDER}/${name}`), diagnostics };
}

function refused(diagnostics: readonly Diagnostic[]): Project {
  return { sources: [], plan: undefined, plugins: builtInPlugins, diagnostics };
}

/** The facts that decide which ledgers belong to a configuration. */
interface LedgerOwner {
  /** Set if the configuration was named. */
  readonly config: string | undefined;
  readonly plan: CompilePlan;
  /** The names of its tools. */
  readonly tools: readonly string[];
  readonly policies: readonly string[];
}

/**
 * Keeps the ledgers that belong to a configuration. Several configurations side by side share one folder of ledgers: to
 * each belong those of the tools and policies that it has, or had when it was last built.
 */
async function ownLedgers(
  host: CompilerHost,
  ledgers: readonly string[],
  { config, plan, tools, policies }: LedgerOwner,
): Promise<readonly string[]> {
  if (ledgers.length === 0 || !(await isShared(host, config))) return ledgers;
  const manifest = await host.ask("text", { uri: `${plan.outDir}/manifest.json`, role: "config" });
  const text = manifest?.text ?? "";
  // The manifest lists the policies among all other inputs.
  const inputs = [...text.matchAll(/^[ \t]*"([^"\\\n]+)":\s+"sha256-/gmu)].map(([, path = ""]) => path);
  const names = new Set([...tools, ...readHandlers(text).keys(), ...[...policies, ...inputs].map(readPolicyName)]);
  return ledgers.filter((path) => names.has(posix.basename(path).replace(/\.ya?ml$/u, "")));
}

async function isShared(host: CompilerHost, config: string | undefined): Promise<boolean> {
  return (config !== undefined && !isDefaultName(config)) || (await sideConfigs(host)).length > 0;
}

/** Lists the configurations with names of their own. */
async function sideConfigs(host: CompilerHost): Promise<readonly string[]> {
  const { files } = await host.ask("folder", { folder: ".", endings: CONFIG_ENDINGS });
  return files.filter((name) => SIDE_NAME.test(name));
}

function isDefaultName(config: string): boolean {
  return CONFIG_NAMES.some((name) => name === config);
}

/** Lists the configurations beside one. */
async function otherConfigs(host: CompilerHost, config: string | undefined): Promise<readonly string[]> {
  const sides = await sideConfigs(host);
  if (sides.length === 0) return [];
  const defaults = (await host.ask("present", CONFIG_NAMES)).map(({ path }) => path);
  return [...defaults, ...sides].filter((name) => (config === undefined ? !isDefaultName(name) : name !== config));
}

/** Finds tools whose approvals would also hold for other tools of their names, in configurations beside theirs. */
async function findLedgerTwins(
  host: CompilerHost,
  root: string,
  {
    config,
    specs,
    names,
    ledgers,
    cache,
  }: {
    readonly config: string | undefined;
    readonly specs: readonly SourceText[];
    /** The names of the tools of each spec. */
    readonly names: readonly (readonly string[])[];
    readonly ledgers: readonly string[];
    readonly cache: CompileCache;
  },
): Promise<readonly Diagnostic[]> {
  const approved = new Set(ledgers.map((path) => posix.basename(path).replace(/\.ya?ml$/u, "")));
  // A policy may be about any tool.
  const hasPolicy = [...approved].some((name) => name.endsWith(".policy"));
  const own = new Map(
    specs.flatMap(({ uri }, index) =>
      (names[index] ?? []).filter((name) => hasPolicy || approved.has(name)).map((name) => [name, uri] as const),
    ),
  );
  const known = new Set(specs.map(({ uri }) => uri));
  const found: Diagnostic[] = [];
  for (const other of own.size === 0 ? [] : await otherConfigs(host, config)) {
    const { value: project } = await readPlan(root, host, { config: other });
    const paths = project === undefined ? [] : (await findSpecs(host, project)).value;
    const others = await readAll(
      host,
      paths.filter((path) => !known.has(path)),
      "spec",
    );
    for (const source of others) {
      for (const tool of namesIn(source, cache)) {
        const uri = own.get(tool);
        if (uri === undefined) continue;
        const facts = { tool, other, path: source.uri };
        found.push(projectDiagnostics("shared-ledger", createLocation(uri), facts, { tool }));
      }
    }
  }
  return found;
}

/** Finds the configurations side by side that write into the output folder of this one, as far as they are data. */
async function findSharedOutput(
  host: CompilerHost,
  config: string | undefined,
  { outDir, locations = {} }: CompilePlan,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const other of (await otherConfigs(host, config)).filter((name) => /\.(?:ya?ml|json)$/u.test(name))) {
    const source = await host.ask("text", { uri: other, role: "config" });
    const value = source && parseSource(source).value?.value;
    const written = isObject(value) ? own(value, "outDir") : undefined;
    const folder = normalisePath(typeof written === "string" ? written : DEFAULT_OUT_DIR);
    if (folder === undefined || !(isWithinFolder(folder, outDir) || isWithinFolder(outDir, folder))) continue;
    found.push(projectDiagnostics("shared-output", locations["/outDir"], { outDir, other, folder }));
  }
  return found;
}

const CONFIG_ENDINGS: readonly string[] = CONFIG_NAMES.map((name) => posix.extname(name));

/** Reads every document that the specs refer to, directly or through others, sorted by path. */
async function readReferenced(
  host: CompilerHost,
  specs: readonly SourceText[],
  remotes: ReadonlyMap<string, string>,
  cache: CompileCache,
  onProgress: OnProgress = ignoreProgress,
): Promise<readonly SourceText[]> {
  const known = new Set(specs.map(({ uri }) => uri));
  const shared: SourceText[] = [];
  const waiting = [...specs];
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    onProgress("Parsing files", known.size - waiting.length - 1, known.size);
    const document = loadSource(source, cache).value;
    for (const path of document === undefined ? [] : listReferencedPaths(document)) {
      if (known.has(path)) continue;
      known.add(path);
      const read = await readDocument(host, path, remotes);
      if (read === undefined) continue;
      shared.push(read);
      waiting.push(read);
    }
  }
  return sortBy(shared, ({ uri }) => uri);
}

async function readDocument(
  host: CompilerHost,
  path: string,
  remotes: ReadonlyMap<string, string>,
): Promise<SourceText | undefined> {
  if (!isRemote(path)) return host.ask("text", { uri: path, role: "shared" });
  const sha256 = remotes.get(path);
  return sha256 === undefined || sha256 === "" ? undefined : host.ask("remote", { address: path, sha256 });
}

/** Rewrites a file of specs with keys of earlier versions. */
async function modernizeSpecs(source: SourceText): Promise<SourceText> {
  const places = Object.keys(MOVED_KEYS).map(pointToKey);
  // Parsing takes long, and few files name such a key.
  if (!places.some((place) => source.text.includes(posix.basename(place)))) return source;
  const { applyFix, findMovedKey } = await import("@hasp/compiler/edit");
  const root = parseSource(source).value?.value;
  const specs = ["", ...toList(readOwnMember(root, "tools")).map((_tool, index) => `/tools/${index}`)];
  return specs
    .flatMap((pointer) => places.map((from) => ({ pointer, from })))
    .filter(({ pointer, from }) => findValueAt(root, pointer + from) !== undefined)
    .reduce((current, { pointer, from }) => {
      // Two flags become one word, so each move depends on what the earlier moves left.
      const spec = findValueAt(parseSource(current).value?.value ?? null, pointer) ?? null;
      const move = findMovedKey(spec, from)?.move;
      return (move && applyFix(current, { kind: "move", uri: source.uri, pointer, from, ...move })) ?? current;
    }, source);
}
