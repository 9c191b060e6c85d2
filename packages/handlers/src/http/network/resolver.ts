/** An address of a host. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Finds the addresses of a host. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;
