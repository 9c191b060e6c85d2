/** An address of a host. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Finds the addresses of a host by its name. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;
