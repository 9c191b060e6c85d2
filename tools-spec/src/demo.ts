// Runs `pnpm demo`: turns in one process, or with `--durable` turns that outlive theirs.
await(process.argv.includes("--durable") ? import("./demo-durable/main.js") : import("./demo-turns.js"));
