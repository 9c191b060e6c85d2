export interface Checkout {
  readonly paths: readonly string[];
}

export function readSources(paths: readonly string[], read: (path: string) => string): Checkout;
