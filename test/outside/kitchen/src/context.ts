/** The context of the kitchen's calls. */
export interface Host {
  readonly plan: "free" | "team";
  readonly regions: readonly string[];
  readonly tenant: string;
  readonly folder: string;
  readonly token: string;
  readonly db: { query(text: string, values?: unknown[]): Promise<{ rows: object[]; rowCount: number | null }> };
}

/** A context whose database has no rows. */
export const host: Host = {
  plan: "team",
  regions: ["eu"],
  tenant: "t1",
  folder: ".",
  token: "none",
  db: { query: async () => ({ rows: [], rowCount: 0 }) },
};
