import { Option } from "commander";
import {
  type Dialect,
  type DialectName,
  dialects,
  flatten,
  type FlattenResult,
  type JsonValue,
  type Loss,
  lower,
  type UncheckedSchema,
  closeSchema,
} from "@hasp/schema";
import { findSuggestions, type Diagnostic, createLocation, hasErrors } from "@hasp/base/diagnostics";
import { resolveDialect, isOwnDialect } from "@hasp/compiler/model";
import type { CompilePlan, DialectPlan } from "@hasp/compiler";
import { readProjectPlan, readSchemaFile, type SchemaFile } from "@hasp/project/read";
import { createLossData, printLossTable } from "@hasp/report";
import { compileProject, createSession, isCompiled } from "../project/project.js";
import { type CommandResult, type Invocation, refuse } from "../shell/command.js";
import type { CommandGroup, Verb } from "../shell/verbs.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

async function withSchemaFile(
  invocation: Invocation,
  work: (file: SchemaFile, plan: Pick<CompilePlan, "dialects" | "plugins">) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { words, folder } = invocation;
  const [name = ""] = words;
  const { root: project, config } = createSession(invocation);
  const { value: plan } = await readProjectPlan(project, config);
  const file = await readSchemaFile(folder, name, { project, remotes: plan?.remotes ?? new Map() });
  if ("schema" in file) {
    const result = await work(file, plan?.plan ?? { dialects: [] });
    const unread = file.unread.map((each) => cliDiagnostics("cannot-read", each.location, each));
    return { ...result, diagnostics: [...unread, ...result.diagnostics] };
  }
  const { reason, at, root, sources } = file;
  const diagnostics =
    reason === undefined
      ? file.diagnostics
      : [cliDiagnostics("cannot-read", at && createLocation(name, at), { path: name, reason })];
  return { diagnostics, root, sources, state: "unchecked" };
}

/** Flattens the schema of a file; closes the input of a spec, as the compiler does. */
function flattenSchema({
  schema,
  isInput,
  options,
}: SchemaFile): Pick<FlattenResult, "schema" | "diagnostics" | "originsOf"> {
  const flat = flatten(schema as UncheckedSchema, options);
  if (!isInput || hasErrors(flat.diagnostics)) return flat;
  const closed = closeSchema(flat.schema, { originsOf: flat.originsOf });
  return { ...closed, diagnostics: [...flat.diagnostics, ...closed.diagnostics] };
}

/** Finds a dialect's settings: configured in a plan, provided by a plugin, or built in. Empty if there are none. */
function listDialectPlan(
  { dialects: configured, plugins = [] }: Pick<CompilePlan, "dialects" | "plugins">,
  name: string,
): readonly DialectPlan[] {
  const known = configured.find(({ id }) => id === name);
  if (known !== undefined) return [known];
  const id = name as DialectName;
  const wish = { id, strict: "auto", onUncarried: "exclude" } as const;
  if (isOwnDialect(id)) return [wish];
  const foreign = plugins.flatMap((plugin) => plugin.dialects).find((each) => each.id === name);
  return foreign === undefined ? [] : [{ ...wish, foreign }];
}

export function reportUnknownDialect(name: string, { plugins = [] }: Pick<CompilePlan, "plugins">): Diagnostic {
  const known = [...Object.keys(dialects), ...plugins.flatMap((plugin) => plugin.dialects.map(({ id }) => id))];
  return cliDiagnostics("unknown-dialect", undefined, {
    name,
    nearest: findSuggestions(name, known),
    known: known.join(", "),
  });
}

/** Compiles the tools before they are approved, also for a dialect that the project does not build. */
export async function compileFor(
  dialect: string | undefined,
  invocation: Invocation,
): ReturnType<typeof compileProject> {
  const project = await compileProject(invocation, {
    adapt: (plan) => ({
      ...plan,
      unlocked: true,
      dialects: dialect === undefined ? [] : listDialectPlan(plan, dialect),
    }),
  });
  return dialect !== undefined && isCompiled(project) && project.plan.dialects.length === 0
    ? refuse(reportUnknownDialect(dialect, project.plan))
    : project;
}

interface LowerFileOptions {
  readonly for: string;
  readonly allow?: "narrowing";
}

const SCHEMA_FILE = "a JSON Schema, used as it is, or a spec, whose input is closed as in a build; JSON or YAML";

const lowerFile: Verb = {
  summary: "Print a schema as one provider accepts it, with every loss.",
  configure(command) {
    command
      .argument("<file>", SCHEMA_FILE)
      .requiredOption("--for <dialect>", `one of ${Object.keys(dialects).join(", ")}`)
      .addOption(
        new Option("--allow <what>", "allow a result that accepts fewer values than the source").choices(["narrowing"]),
      );
  },
  run: async (invocation: Invocation<LowerFileOptions>) => {
    const { options, terminal } = invocation;
    return withSchemaFile(invocation, async (file, plan) => {
      const [dialect] = listDialectPlan(plan, options.for);
      if (dialect === undefined) return refuse(reportUnknownDialect(options.for, plan));
      return lowered(file, resolveDialect(dialect), options, terminal.columns);
    });
  },
};

async function lowered(
  file: SchemaFile,
  dialect: Dialect,
  options: LowerFileOptions,
  columns: number,
): Promise<CommandResult> {
  const flat = file.isInput ? flattenSchema(file) : undefined;
  if (flat !== undefined && hasErrors(flat.diagnostics)) {
    return { diagnostics: flat.diagnostics.map(file.place), sources: file.sources, root: file.root, product: "" };
  }
  const result = lower(flat?.schema ?? (file.schema as UncheckedSchema), dialect, {
    ...(flat === undefined ? file.options : { flat }),
    ...(options.allow === "narrowing" ? { allowNarrowing: true } : {}),
  });
  const placeOf = ({ origin }: Loss): string => {
    const location = file.locate(origin);
    return location === undefined ? "" : `${location.uri}:${location.range.start.line}`;
  };
  return {
    diagnostics: [...(flat?.diagnostics ?? []), ...result.diagnostics].map(file.place),
    sources: file.sources,
    root: file.root,
    data: {
      dialect: dialect.id,
      schema: (result.schema ?? null) as JsonValue,
      losses: result.losses.map((loss) => createLossData(loss, placeOf(loss))),
      codec: (result.codec ?? null) as JsonValue,
    },
    product: result.schema === undefined ? "" : `${JSON.stringify(result.schema, undefined, 2)}\n`,
    text: printLossTable(result.losses, placeOf, columns),
  };
}

const flattenFile: Verb = {
  summary: "Print a schema without $ref and allOf that accepts the same values.",
  configure(command) {
    command.argument("<file>", SCHEMA_FILE);
  },
  run: (invocation) =>
    withSchemaFile(invocation, async (file) => {
      const result = flattenSchema(file);
      const diagnostics = result.diagnostics.map(file.place);
      const isUsable = !hasErrors(diagnostics);
      const schema = result.schema as JsonValue;
      return {
        diagnostics,
        sources: file.sources,
        root: file.root,
        data: { schema: isUsable ? schema : null },
        product: isUsable ? `${JSON.stringify(schema, undefined, 2)}\n` : "",
      };
    }),
};

export const schema: CommandGroup = { verbs: { flatten: flattenFile, lower: lowerFile } };
