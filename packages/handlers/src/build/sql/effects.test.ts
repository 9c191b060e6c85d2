import { beforeAll, expect, test } from "vitest";
import { findSqlEffects } from "./effects.js";
import { loadSqlParser } from "./parser.js";
import { DOUBTFUL_STATEMENTS, READING_STATEMENTS, WRITING_STATEMENTS } from "./statement.testing.js";

beforeAll(loadSqlParser);

test.each(READING_STATEMENTS)("finds that a statement reads: %s", (statement) => {
  expect(findSqlEffects({ statement })).toMatchObject([{ verdict: "reads", at: "/statement" }]);
});

test.each(DOUBTFUL_STATEMENTS)("does not take a qualified name for a column: %s", (statement) => {
  for (const { verdict } of findSqlEffects({ statement })) expect(verdict).toBe("unknown");
});

test.each(WRITING_STATEMENTS)(
  "finds that a statement writes: $statement",
  ({ statement, reason, destructive, idempotent }) => {
    const [effect] = findSqlEffects({ statement });
    expect(effect).toMatchObject({ verdict: "writes", reason: expect.stringMatching(reason) });
    if (destructive !== undefined) expect(effect?.destructive).toBe(destructive);
    if (idempotent !== undefined) expect(effect?.idempotent).toBe(idempotent);
  },
);

test.each(["", "SELECT 1; SELECT 2", "SELEC 1", "SELECT $1"])("does not count as reading: %j", (statement) => {
  expect(findSqlEffects({ statement })).toMatchObject([{ verdict: "writes" }]);
});

test.each(["SELECT $state::app.order_state", "SELECT CAST('open' AS order_state)", "SELECT NULL::order_state[]"])(
  "reads a text as a type of the user's own: %s",
  (statement) => {
    expect(findSqlEffects({ statement })).toMatchObject([{ verdict: "reads" }]);
  },
);

test.each([
  ["UPDATE users SET name = coalesce($name, name), plan = CASE WHEN $free THEN 'free' ELSE plan END", undefined],
  ["UPDATE users SET logins = users.logins + 1", false],
  ["UPDATE users SET tags = coalesce($tags, tags || $tag)", false],
  ["UPDATE users SET total = price * 2", undefined],
])("finds whether repeating a statement changes more: %s", (statement, idempotent) => {
  expect(findSqlEffects({ statement })[0]?.idempotent).toBe(idempotent);
});

test.each([
  ["SELECT lower($name)", true],
  ["SHOW search_path", true],
  // The table may be foreign, and a trigger may send a mail.
  ["SELECT lower(name) FROM users WHERE id = $id", false],
  ["INSERT INTO notes (text) VALUES ($text)", false],
  ["UPDATE notes SET text = $text", false],
  ["DELETE FROM notes WHERE id IN (SELECT note FROM old)", false],
  ["SELECT * FROM dblink($source, $query) AS t (id int)", false],
  ["INSERT INTO notes (text) VALUES (send_mail($text))", false],
  ["COPY notes TO PROGRAM 'curl example.com'", false],
])("says whether a statement sends nothing out of the database: %s", (statement, isLocal) => {
  expect(findSqlEffects({ statement }).every((effect) => effect.isLocal === true)).toBe(isLocal);
});
