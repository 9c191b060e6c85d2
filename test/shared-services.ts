// Services that are expensive to start, shared by one run and started on first request: one Postgres, in which each
// test file has databases of its own, and the tarballs of the packages.
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startPostgres, type EmbeddedServer } from "../tools-spec/src/services/embedded-postgres.js";
import { packAll } from "./from-nothing/pack-all.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The address at which tests ask for what is shared. */
    readonly services: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // Tests and the processes that they start share this folder, which is removed in the end.
  const folder = mkdtempSync(join(tmpdir(), "hasp-tests-"));
  // Postgres in it is no root, though the tests may be.
  chmodSync(folder, 0o711);
  process.env["TMPDIR"] = folder;
  let postgres: Promise<EmbeddedServer> | undefined;
  let tarballs: Promise<object> | undefined;
  const services: Readonly<Record<string, () => Promise<object>>> = {
    "/databases": async () => (await (postgres ??= startPostgres())).another(),
    "/tarballs": async () => (tarballs ??= packAll(mkdtempSync(join(folder, "packed-")))),
  };
  const broker = createServer(({ url = "" }, response) => {
    const answer = services[url] ?? (() => Promise.reject(new Error(`nothing is shared at ${url}`)));
    answer().then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, "127.0.0.1");
  await once(broker, "listening");
  provide("services", `http://127.0.0.1:${(broker.address() as AddressInfo).port}`);
  return async () => {
    broker.close();
    await (await postgres)?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
