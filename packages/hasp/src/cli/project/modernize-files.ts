import { posix, resolve } from "node:path";
import { readText } from "@hasp/project";
import { createCompilerHost, readConfig } from "@hasp/project/read";
import { type FixedFile, isEditable, type ReadSession } from "@hasp/project/session";

/** Rewrites the configuration and its presets, if they have keys of earlier versions. Writes nothing. */
export async function modernizeFiles({ root, config }: ReadSession): Promise<readonly FixedFile[]> {
  const { value } = await readConfig(root, createCompilerHost(root), { config, isEarlier: true });
  const { modernizeConfig } = await import("@hasp/compiler/edit");
  const uris = [...(value?.presets ?? []), ...(value?.own === undefined ? [] : [value.own])].map(({ uri }) => uri);
  const files = await Promise.all(
    uris.filter(isEditable).map(async (uri) => ({ uri, read: await readText(resolve(root, uri)) })),
  );
  return files.flatMap(({ uri, read }) => {
    const { dir, name, ext } = posix.parse(uri);
    const rules = `hasp-plugins/${name === "hasp.config" ? "rules" : `${name}.rules`}${ext}`;
    const modern = "text" in read ? modernizeConfig(read.text, ext === ".json", `./${rules}`) : undefined;
    if (modern === undefined || !("text" in read)) return [];
    const path = posix.join(dir, rules);
    const created = modern.rules === undefined ? [] : [{ path, before: undefined, after: modern.rules }];
    return [...created, { path: uri, before: read.text, after: modern.text }];
  });
}
