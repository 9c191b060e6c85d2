import { makeUserFile } from "../../../../../project/src/output/user-files.js";

/** Writes a user's file; returns the reason if that fails. Replaces an existing file only if told to. */
export async function writeFailure(
  path: string,
  text: string,
  options: { readonly replace: boolean },
): Promise<string | undefined> {
  const { state, reason } = await makeUserFile(path, text, options);
  if (state !== "failed" && state !== "exists") return undefined;
  return reason ?? "another program has created it in the meantime";
}
