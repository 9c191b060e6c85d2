/** Numbers between 0 and 1, the same for the same seed. */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Writes a program of 1 to `most` calls: sequences, `Promise.all`, `race`, loops, conditions, `try`, loops whose variables
 * functions keep and that are left by a label, and generators that `for await` leaves. Its calls are of `kinds`,
 * and `questions` times of `pay`. With `hasTies`, both calls of a race have the same answer.
 */
export function writeProgram(random, { most, kinds, questions = 0, hasTies = false }) {
  let asked = 0;
  let labels = 0;
  const below = (end) => Math.floor(random() * end);
  const input = () => (random() < 0.5 ? `{ n: ${below(50)} }` : `{ n: (sum + ${below(9)}) % 50 }`);
  const call = (mayAsk) => {
    const asks = mayAsk && asked < questions && random() < 0.4;
    if (asks) asked += 1;
    return `tools.${asks ? "pay" : kinds[below(kinds.length)]}(${input()})`;
  };
  const add = (value) => `sum += (${value}).value;`;

  /** Writes statements that make up to `room` calls. */
  function block(room, depth, mayAsk) {
    const lines = [];
    for (let left = room; left > 0;) {
      const [used, line] = statement(left, depth, mayAsk);
      left -= used;
      lines.push(line, "trace.push(sum);");
    }
    return lines.join("\n");
  }

  function statement(room, depth, mayAsk) {
    const kind = below(depth < 3 ? 9 : 3);
    if (kind === 1 && room >= 2) {
      const count = Math.min(room, 2 + below(4));
      const calls = Array.from({ length: count }, () => call(mayAsk));
      return [count, `for (const one of await Promise.all([${calls.join(", ")}])) ${add("one")}`];
    }
    if (kind === 2 && room >= 2) {
      const same = `tools.read(${input()})`;
      const both = hasTies ? [same, same] : [call(false), call(false)];
      return [2, add(`await Promise.race([${both.join(", ")}])`)];
    }
    if (kind === 3 && room >= 2) {
      const times = 2 + below(Math.min(3, room - 1));
      const each = 1 + below(Math.floor(room / times));
      return [times * each, `for (let i = 0; i < ${times}; i += 1) {\n${block(each, depth + 1, false)}\n}`];
    }
    if (kind === 4 && room >= 2) {
      const some = 1 + below(room - 1);
      const [one, other] = [block(some, depth + 1, false), block(room - some, depth + 1, false)];
      return [room, `if (sum % 2 === ${below(2)}) {\n${one}\n} else {\n${other}\n}`];
    }
    if (kind === 7 && room >= 2) return [2 * Math.floor(room / 2), writeLabelledLoops(Math.floor(room / 2), depth)];
    if (kind === 8 && room >= 2) return [room, writeForAwait(room, depth)];
    if (kind >= 5) {
      const inner = 1 + below(room);
      const failing = random() < 0.4 && inner > 1 ? `${add(`await tools.fail(${input()})`)}\n` : "";
      const body = block(failing === "" ? inner : inner - 1, depth + 1, mayAsk);
      return [inner, writeTry(`${body}\n${failing}`)];
    }
    return [1, add(`await ${call(mayAsk)}`)];
  }

  /** Writes a block whose variable a function keeps, also after an error. */
  function writeTry(body) {
    const begin = "let v = sum;\nkept.push(() => v);\nv += 1;";
    return `try {\n${begin}\n${body}\nv += 1;\n} catch (error) {\nkept.push(() => error.code);\ntrace.push(error.code);\n}`;
  }

  /** Writes loops over two items each that a jump from the inner to the outer may end, and functions that keep both. */
  function writeLabelledLoops(each, depth) {
    const loops = [
      (name, body) => `for (let ${name} = 0; ${name} < 2; ${name} += 1) {\n${body}\n}`,
      (name, body) => `for (const ${name} of [0, 1]) {\n${body}\n}`,
      (name, body) => `for (const ${name} in [0, 1]) {\n${body}\n}`,
      (name, body) => `{ let next = 0; while (next < 2) { const ${name} = next++;\n${body}\n} }`,
      (name, body) => `{ let next = 0; do { const ${name} = next++;\n${body}\n} while (next < 2); }`,
      (name, body) => `for await (const ${name} of walk([0, 1])) {\n${body}\n}`,
    ];
    const pick = () => loops[below(loops.length)];
    const label = `l${(labels += 1)}`;
    const jumps = [`continue ${label};`, `break ${label};`, "continue;", "break;", `throw ${ERROR};`, `return ${END};`];
    const jump = `if (sum % 3 === ${below(3)}) ${jumps[below(jumps.length)]}`;
    const inner = pick()("j", `kept.push(() => [i, j, sum]);\n${jump}\n${random() < 0.5 ? "" : "trace.push(i, j);"}`);
    const guards = [inner, `try {\n${inner}\n} finally {\ntrace.push("left");\n}`, writeTry(inner)];
    const guarded = guards[below(guards.length)];
    const body = `let sum2 = sum;\nkept.push(() => [i, sum2]);\n${block(each, depth + 1, false)}\n${guarded}\nsum2 += 1;`;
    return `${label}: ${pick()("i", body)}`.replace(/^(l\d+): (\{ let next = 0; )/u, "$2$1: ");
  }

  /** Writes a loop over a generator that a call may end, and that a jump, an error or nothing ends. */
  function writeForAwait(room, depth) {
    const label = `l${(labels += 1)}`;
    const inner = block(room - 1, depth + 1, false);
    const end = ["", "break;", `break ${label};`, `throw ${ERROR};`][below(4)];
    const loop = `${label}: for await (const i of walk([0, 1, 2])) {\nkept.push(() => i);\n${end}\n}`;
    const last = add(`await ${call(false)}`);
    return writeTry(`${loop}\ntrace.push("after");\n${last}\n${inner}`);
  }

  const body = block(1 + below(most - questions), 0, true);
  const rest = Array.from({ length: questions - asked }, () => add(`await tools.pay(${input()})`));
  return `${WALK}let sum = 0;\nconst trace = [];\nconst kept = [];\n${body}\n${rest.join("\n")}\nreturn ${END};`;
}

const ERROR = 'Object.assign(new Error("left"), { code: "left" })';
const END = "{ sum, trace, kept: kept.map((get) => get()) }";

/** A generator whose end takes several turns of the event loop; a loop that leaves it must wait for that end. */
const WALK = `async function* walk(items) {
  try {
    yield* items;
  } finally {
    trace.push("flush");
    await undefined;
    trace.push("close");
  }
}
`;

const AsyncFunction = (async () => undefined).constructor;

/** Runs a program by this process itself. `call(name, input, n)` answers its n-th call; an error with `code` is thrown. */
export async function runDirectly(code, call) {
  let count = 0;
  const tools = new Proxy({}, { get: (_tools, name) => (input) => call(name, input, (count += 1)) });
  try {
    return await new AsyncFunction("tools", code)(tools);
  } catch (error) {
    if (error.code === undefined) throw error;
    return { threw: true };
  }
}

/** Returns what a `run_program` came to, as `runDirectly` puts it. */
export function endOf({ output, error }) {
  if (error === undefined) return output.result;
  return error.code === "program-threw" ? { threw: true } : { error };
}
