export interface ListenAddress {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

/** Parses `[host:]port`; `undefined` for anything else. The default host is this machine, unreachable for others. */
export function readListenAddress(text: string): ListenAddress | undefined {
  const { host, name, port } =
    /^(?:\[(?<host>[0-9a-f:.]+)\]:|(?<name>[a-z0-9.-]+):)?(?<port>\d{1,5})$/iu.exec(text)?.groups ?? {};
  if (port === undefined || Number(port) > 65_535) return undefined;
  return { host: host ?? name ?? "127.0.0.1", port: Number(port) };
}
