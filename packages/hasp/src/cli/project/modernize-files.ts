import { posix, resolve } from "node:path";
import { readText } from "@hasp/project";
import { createCompilerHost, readConfig } from "@hasp/project/read";
import { type FixedFile, isEditable, type ReadSession } from "@hasp/project/session";

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
