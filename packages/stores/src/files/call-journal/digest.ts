import { hash } from "node:crypto";

/** An id as it stands in the names of files. */
export function digest(id: string): string {
  return hash("sha256", id);
}
