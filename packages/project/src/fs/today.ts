/** The day of the machine's clock as `YYYY-MM-DD`, in UTC: the same on every machine at one moment. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
