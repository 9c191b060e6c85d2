import type { GlobHandler } from "../generated/tools/glob.js";
import { listFiles } from "../services/workspace.js";

/** Lists the paths of matching files, in path order. */
export const execute: GlobHandler["execute"] = async ({ pattern, limit, offset }, { context }) => {
  const paths = await listFiles(context.workspace, pattern);
  return { paths: paths.slice(offset, offset + limit), total: paths.length };
};
