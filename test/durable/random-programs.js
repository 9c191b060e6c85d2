/** Numbers between 0 and 1, the same for the same seed. */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Writes a program of 1 to `most` calls: sequences, `Promise.all`, `race`, loops, conditions, `try`. Its calls are of `kinds`,
 * and `questions` times of `pay`. With `hasTies`, both calls of a race have the same answer.
 */
export function writeProgram(random, { most, kinds, questions = 0, hasTies = false }) {
  let asked = 0;
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
    const kind = below(depth < 3 ? 7 : 3);
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
    if (kind >= 5) {
      const inner = 1 + below(room);
      const failing = random() < 0.4 && inner > 1 ? `${add(`await tools.fail(${input()})`)}\n` : "";
      const body = block(failing === "" ? inner : inner - 1, depth + 1, mayAsk);
      return [inner, `try {\n${body}\n${failing}} catch (error) {\ntrace.push(error.code);\n}`];
    }
    return [1, add(`await ${call(mayAsk)}`)];
  }

  const body = block(1 + below(most - questions), 0, true);
  const rest = Array.from({ length: questions - asked }, () => add(`await tools.pay(${input()})`));
  return `let sum = 0;\nconst trace = [];\n${body}\n${rest.join("\n")}\nreturn { sum, trace };`;
}

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
