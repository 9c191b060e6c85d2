import { type DiagnosticParameters, formatMessage } from "@hasp/base/diagnostics";

/** Reasons to refuse a condition. Kinds of values are phrases such as "a string or null". */
export const predicateDefinition = {
  message: {
    syntax: "This is not valid CEL: {reason:clause}.",
    habit: "This is not valid CEL: {reason:clause}.",
    limit: "A condition may have at most {limit} {counted}.",
    "not-in-language": "`{text}` is not part of the condition language.",
    "not-boolean": "A condition must be true or false, but this one is {kinds}.",
    "no-destination": "A destination must be text, a number, a list or an object, but this one is {kinds}.",
    "constant-destination": "A destination must read `input`: otherwise one answer covers every call.",
    "operand-not-boolean": "`{text}` is {kinds}, but true or false is required.",
    "unknown-name": "{name:json} is not defined. A condition can only use `input`.",
    "unqualified-field": "{name:json} is not defined. A condition can only use `input`.",
    absent: "`{text}` may be absent, and reading an absent field is an error.",
    "computed-key": "Only a quoted field name is allowed between brackets.",
    "no-object": "`{text}` has no fields. Only `input` and the objects in it have fields.",
    "no-fields": "`{text}` is {kinds} and has no fields.",
    "maybe-no-fields": "`{text}` may also be {kinds}, which has no fields.",
    "unknown-field": "The schema of `{holder}` declares no field {name:json}.",
    "misspelt-field": "The schema of `{holder}` declares no field {name:json}.",
    "has-arguments": "`has` takes a field, as in `has(input.scope)`.",
    "present-arguments": "`present` takes an object and a quoted name, as in `present(input, 'max-rows')`.",
    "size-arguments": "`size` takes one string, list or object.",
    "size-method-arguments": "`.size()` takes no arguments.",
    "text-form-arguments": "`{name}` takes one string: `{name}(input.name)` or `input.name.{name}()`.",
    "time-arguments": "`{name}` takes one string.",
    "string-arguments": "`.{name}()` takes one string.",
    "matches-arguments": "`.matches()` takes a quoted pattern, so that the pattern can be checked before it runs.",
    "loop-arguments": "`.{name}()` takes a name and a test, as in `input.paths.{name}(path, path != '')`.",
    "unknown-function": "There is no function `{name:excerpt}` in conditions.",
    "misspelt-function": "There is no function `{name:excerpt}` in conditions.",
    "loop-over-other": "`.{name}()` takes a list of the input, but `{text}` is {kinds}.",
    "loop-over-written":
      "`.{name}()` takes a list of the input, or a short list of written texts, numbers and the like.",
    "loop-variable": "`input` is already defined. Give the item another name.",
    "no-size": "`{text}` is {kinds} and has no size.",
    "invalid-time": "{text} is not a valid {of}.",
    "not-string": "`{text}` is {kinds}, but a string is required.",
    "large-integer": "{text} is too large for a JSON number to represent exactly.",
    "other-literal": "JSON has no literal {text}. Use a number, a string, true, false or null.",
    "mixed-answers": "Both results of `?:` must be of the same kind, but they are {left} and {right}.",
    "list-compared": "A list literal is allowed only after `in`, and before `.all()` and `.exists()`.",
    "not-ordered": "There is no order between {left} and {right}.",
    "in-other": "`in` takes a list or an object, but `{text}` is {kinds}.",
    "key-not-string": "A key is a string, but this is {kinds}.",
    "empty-list": "An empty list contains nothing.",
    "no-negative": "`{text}` is {kinds}. Only a number can be negated.",
    operands: "`{operator}` cannot be applied to {left} and {right}.",
    "mixed-numbers": "`{operator}` cannot be applied to {left} and {right}.",
    "other-form": "`.{form}()` never returns a text with {value:json} there.",
    "nothing-left": "The tests before this one leave no value to compare.",
    "number-kinds": "In CEL an integer is never equal to a number with a fraction.",
    "never-equal": "This compares {left} with {right}, which are never equal.",
    impossible: '"{field}" is never {value:json} here.',
    "impossible-listed": '"{field}" is never {value:json} here.',
    "nested-loops": "The nested loops may take too long: the product of their list lengths has no small bound.",
    "read-in-loop":
      "`{text}` is read to its end in every iteration, which may take too long: its length has no small bound.",
    "pattern-length": "A pattern may have at most {limit} characters.",
    "pattern-time": "The pattern {pattern:json} cannot be matched in linear time.",
    "pattern-javascript": "{pattern:json} is not a valid pattern in JavaScript: {reason:clause}.",
    "pattern-count":
      "RE2, which CEL uses, allows counts of at most {limit}, multiplied with those around them; `{count}` exceeds that.",
    "pattern-construct":
      "`{construct:excerpt}` differs in meaning between RE2, which CEL uses, and JavaScript, which runs the pattern.",
  },
  help: {
    habit: "CEL writes `{meant}` where other languages write `{written}`.",
    "not-in-language": "The language consists of {allowed}.",
    "unqualified-field": "Write `{path}`.",
    absent: "Test `{test} && …` first.",
    "computed-key": "To test the items of a list, use `.exists(item, …)` or `.all(item, …)`.",
    "maybe-no-fields": "Test `{guard:optional} != null && …` first.",
    "unknown-field": "Declare it under `properties`.",
    "misspelt-field": "Did you mean `{nearest}`?",
    "unknown-function": "The language consists of {allowed}.",
    "misspelt-function": "Did you mean `{nearest}`?",
    "operand-not-boolean": "Test `{guard:optional} != null && …` first.",
    "loop-over-other": "Test `{guard:optional} != null && …` first.",
    "no-size": "Test `{guard:optional} != null && …` first.",
    "invalid-time": "Write it like {example}.",
    "not-string": "Test `{guard:optional} != null && …` first.",
    "list-compared": "Compare the items one by one.",
    "not-ordered": "Test `{guard:optional} != null && …` first.",
    "in-other": "Test `{guard:optional} != null && …` first.",
    "no-negative": "Test `{guard:optional} != null && …` first.",
    operands: "Test `{guard:optional} != null && …` first.",
    "mixed-numbers": "CEL does not mix integers and fractions. Write the literal as `1.0`.",
    "other-form": "Write {meant:json}.",
    "nothing-left": "Remove the comparison, or fix the tests before it.",
    "number-kinds": "Write the literal as `1.0`.",
    impossible: "Its schema does not allow that value, or an earlier test has excluded it.",
    "impossible-listed": "It can be {values:list}.",
    "nested-loops": "Give both lists a `maxItems`, so that their product is at most {limit}.",
    "read-in-loop": "Move this test out of the loop, or give the string a `maxLength` and the list a `maxItems`.",
    "pattern-time": "Write it with smaller counts and fewer nested groups.",
    "pattern-construct": "{remedy}",
  },
} as const;

export type RefusalParameters = DiagnosticParameters<typeof predicateDefinition>;

export interface PredicateProblem {
  readonly parameters: RefusalParameters;
  readonly start: number;
  readonly end: number;
}

/** Ends the check of one condition. It never leaves this folder: `createPredicateCompiler` turns it into a problem. */
export class Refusal extends Error {
  readonly problem: PredicateProblem;

  constructor(problem: PredicateProblem) {
    super(formatMessage(predicateDefinition.message, problem.parameters));
    this.name = "Refusal";
    this.problem = problem;
  }
}

export function refuse(
  { start, end }: { readonly start: number; readonly end: number },
  parameters: RefusalParameters,
): never {
  throw new Refusal({ parameters, start, end });
}
