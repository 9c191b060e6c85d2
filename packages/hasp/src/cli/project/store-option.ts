import type { Command } from "commander";
import type { CallStoreSetting } from "@hasp/compiler";

export interface StoreOption {
  /** `"none"` for an unusable word: commander would turn `null` into an empty word. */
  readonly store?: CallStoreSetting | "none";
}

export function declareStoreOption(command: Command): Command {
  return command.option(
    "--store <kind=where>",
    "use this call store, not that of the configuration: files=<folder>, module=<file#export>, or postgres=<variable>, an environment variable with the address",
    // Commander's own refusal would repeat the word, which may be a connection string with its password.
    (word) => readStore(word) ?? "none",
  );
}

function readStore(word: string): CallStoreSetting | undefined {
  const [, kind = "", value = ""] = /^([a-z]+)=(.+)$/su.exec(word) ?? [];
  if (kind === "files") return { files: value };
  if (kind === "module") return { module: value };
  return kind === "postgres" && /^[A-Za-z_][A-Za-z0-9_]*$/u.test(value) ? { postgres: { env: value } } : undefined;
}
