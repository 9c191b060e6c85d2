import type { WriteOptions } from "./write/put-settings.js";

export interface ImportOptions extends WriteOptions {
  readonly out: string;
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly prefix?: string;
  readonly outputs: boolean;
  readonly baseUrl?: string;
  readonly maxPages?: number;
  readonly command?: string;
  readonly url?: string;
  readonly header?: readonly string[];
  readonly env?: readonly string[];
  readonly connection?: string;
  readonly connectionEnv: string;
  readonly schema?: readonly string[];
  readonly writes?: boolean;
  readonly timeout: number;
}
