import { posix, resolve } from "node:path";
import { toObject } from "@hasp/base/json";
import { readText } from "@hasp/project";
import { createCompilerHost, readConfig } from "@hasp/project/read";
import { type FixedFile, isEditable, type ReadSession } from "@hasp/project/session";

/**
 * Returns advice for a configuration that is a program, which `--fix` does not edit: what to write in place of its keys
 * of earlier versions. `undefined` if there are no such keys, or the configuration is data.
 */
export async function describeModernProgram({ root, config }: ReadSession): Promise<string | undefined> {
  const [before, after] = await Promise.all(
    [false, true].map(
      async (isEarlier) => (await readConfig(root, createCompilerHost(root), { config, isEarlier })).value?.own,
    ),
  );
  if (before === undefined || after === undefined || isEditable(before.uri)) return undefined;
  const [is, was] = [toObject(after.value), toObject(before.value)];
  const differs = (key: string): boolean => JSON.stringify(is[key]) !== JSON.stringify(was[key]);
  const replaced = Object.keys(was).filter(differs);
  if (replaced.length === 0) return undefined;
  const { rules } = after;
  return [
    `${before.uri} is a program, which --fix does not rewrite. In what it exports, replace ${replaced.join(", ")} with:`,
    ...Object.keys(is)
      .filter(differs)
      .map((key) => `  ${key}: ${JSON.stringify(is[key])},`),
    ...(rules === undefined
      ? []
      : [`and name a new file in "plugins", such as ./hasp-plugins/rules.yaml, with:\n  ${JSON.stringify({ rules })}`]),
  ].join("\n");
}

/** Rewrites the configuration and its presets, if they have keys of earlier versions. Writes nothing. */
export async function modernizeFiles({ root, config }: ReadSession): Promise<readonly FixedFile[]> {
  const { value } = await readConfig(root, createCompilerHost(root), { config, isEarlier: true });
  const { modernizeConfig } = await import("@hasp/compiler/edit");
  const files = [...(value?.presets ?? []), ...(value?.own === undefined ? [] : [value.own])];
  const changes = files.map(async ({ uri }): Promise<readonly FixedFile[]> => {
    const read = await readText(resolve(root, uri));
    if (!isEditable(uri) || !("text" in read)) return [];
    const { dir, name, ext } = posix.parse(uri);
    const rules = `hasp-plugins/${name === "hasp.config" ? "rules" : `${name}.rules`}${ext}`;
    const modern = modernizeConfig(read.text, ext === ".json", `./${rules}`);
    if (modern === undefined) return [];
    const change = { path: uri, before: read.text, after: modern.text };
    if (modern.rules === undefined) return [change];
    return [{ path: posix.join(dir, rules), before: undefined, after: modern.rules }, change];
  });
  return (await Promise.all(changes)).flat();
}
