import { makeUserFile } from "../../../../../project/src/output/user-files.js";

/** Writes a file of the user's, or says why it was not written; `replace` an existing one, or leave it. */
export async function writeFailure(
  path: string,
  text: string,
  options: { readonly replace: boolean },
): Promise<string | undefined> {
  const { state, reason } = await makeUserFile(path, text, options);
  if (state !== "failed" && state !== "exists") return undefined;
  return reason ?? "another program has created it in the meantime";
}
