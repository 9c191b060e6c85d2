import { type BuildOptions, build, type Metafile } from "esbuild";

/** Bundles a module of a project without writing anything. Returns what esbuild says of its files. */
export async function bundleModule(root: string, module: string, options: BuildOptions = {}): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: [module],
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "silent",
    ...options,
    metafile: true,
  });
  return metafile;
}
