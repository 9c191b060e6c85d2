import type { JsonValue } from "@hasp/schema";
import type { PermissionAnswer, PermissionDecision, PermissionRequest } from "../../tool/definition.js";

/** A tool's name, or a pattern in which `*` is the only wildcard. */
export type NamePattern<Name extends string = string> =
  | Name
  | `${string}*${string}`
  | `mcp__${string}`
  | "tool_search"
  | "read_result"
  | "run_program"
  | "search_tools";

/** A name pattern. With `server`, it names tools of a live MCP server. */
export type ToolPattern<Name extends string = string> =
  | NamePattern<Name>
  | { readonly server: string; readonly tool: string };

/** A rule of the host. The first match decides. */
export type PermissionRule<Name extends string = string> = PermissionRuling &
  (
    | { readonly tool: NamePattern<Name>; readonly server?: undefined }
    | { readonly tool: string; readonly server: string }
  );

/** The decision of a rule. A rule without `server` never allows an MCP tool. */
interface PermissionRuling {
  /** Limits the rule to calls for which this returns `true`. A throw, and any value but true or false, denies. */
  readonly when?: ((input: never, request: PermissionRequest) => boolean) | undefined;
  readonly decision: PermissionDecision;
  /** The reason that the model reads if the call is refused. */
  readonly reason?: string | undefined;
  /** Lets its calls carry private data outside unasked if an outsider may have asked for it. Needs a name without `*`. */
  readonly flow?: "allow" | undefined;
}

/**
 * The degree of autonomy. `plan`: only READ_ONLY calls run, and tools without such calls are not listed. `ask`: the
 * default. `accept-writes`: a call that is neither destructive nor UNSAFE runs without a question. `unattended`: nobody
 * is asked, and a call that would need a question is refused. No mode overrides a deny or a vote to ask.
 */
export type PermissionMode = "plan" | "ask" | "accept-writes" | "unattended";

/** The part of the permissions that can be written down, as a compiled policy module exports it. */
export interface PermissionPolicy<Name extends string = string> {
  /** Tools that are never listed and never run, by name or alias. */
  readonly deny?: readonly ToolPattern<Name>[] | undefined;
  readonly rules?: readonly PermissionRule<Name>[] | undefined;
  readonly mode?: PermissionMode | undefined;
}

export interface Permissions<Context = unknown, Name extends string = string> extends PermissionPolicy<Name> {
  /** Decides calls that no rule, hook or mode decided. */
  readonly check?:
    | ((
        request: PermissionRequest<unknown, Context>,
      ) => PermissionAnswer | ChangedCall | Promise<PermissionAnswer | ChangedCall>)
    | undefined;
  /**
   * Puts each program to the person before it runs, with the tools it names, as one question. The answer covers its
   * READ_ONLY calls that only their own `requiresPermission` would ask about. Default `false`.
   */
  readonly previewPrograms?: boolean | undefined;
  /** Asks a person. Without it and a call store, a call that needs a question is refused. */
  readonly ask?: ((request: PermissionRequest<unknown, Context>) => AskAnswer | Promise<AskAnswer>) | undefined;
  /** The most questions that are open at once, over all turns. Default 1. */
  readonly maxOpenQuestions?: number | undefined;
}

/**
 * Allows a call with another input, in the tool's own form. It is validated, classified and judged again, and no answer
 * counts for any other.
 */
interface ChangedCall {
  readonly decision: "allow";
  readonly input: unknown;
  readonly reason?: string | undefined;
}

/** A person's decision. `later` leaves the question open; `dispatch` cannot wait and refuses the call. */
type AskDecision = "allow" | "deny" | "later";

/**
 * The answer of `ask`: a decision, alone or with a reason for the model. Anything else counts as `deny` and is a
 * `problem` event.
 */
export type AskAnswer =
  | AskDecision
  | {
      readonly decision: AskDecision;
      readonly reason?: string | undefined;
      /**
       * Applies the answer to later calls of the tool. For a destructive call, it covers only the same input, and an
       * answer about a mild call never covers a destructive one; a deny covers every call of the tool.
       */
      readonly remember?: "turn" | "session" | undefined;
      /** With `allow`: the input to run instead, in the tool's own form. See {@link ChangedCall}. */
      readonly input?: unknown;
    };

/** The calls that {@link LivePermissions.allow} permits. */
export interface AllowedCalls<Name extends string = string> {
  /** The tool's name, or a pattern; a destructive call is covered only by a name without a wildcard. */
  readonly tool: NamePattern<Name>;
  /** The live MCP server of the tool, as the server names it. */
  readonly server?: string | undefined;
  /** Limits it to calls for which this returns `true`. A throw, and any value but true or false, denies the call. */
  readonly when?: PermissionRuling["when"];
  /** Limits it to calls with exactly this input. */
  readonly input?: JsonValue | undefined;
  /** Also lets them carry private data outside if an outsider may have asked for it. Needs a name without `*`. */
  readonly flow?: true | undefined;
}

/** A permission in force: a denied pattern, a live allow, or a remembered answer. */
export interface StandingPermission {
  readonly id: string;
  readonly decision: "allow" | "deny";
  /** A pattern; for a remembered answer, the tool's name. */
  readonly tool: string;
  readonly server?: string;
  readonly until?: "turn" | "session" | Date;
  readonly reason?: string;
  readonly by?: string;
  /** Present if it also waives the question about what may leave a conversation. */
  readonly flow?: true;
  /** The conversation of a remembered answer about what may leave it, and the destination that it covers. */
  readonly conversation?: string;
  readonly destination?: JsonValue;
  /** ISO date. */
  readonly since: string;
}

/** Permissions that can change while calls run, at once; created by `createPermissions`. */
export interface LivePermissions<Name extends string = string> {
  /** Refuses all calls of these tools that have not started, and unlists the tools. Returns an id. */
  deny(pattern: ToolPattern<Name>, details?: { readonly reason?: string; readonly by?: string }): string;
  /**
   * Lets calls run without a person where a rule or the tool's `permit` votes to ask, or nothing else decides. A deny,
   * and a guard that votes to ask, still win. Returns an id.
   */
  allow(
    calls: AllowedCalls<Name>,
    details: { readonly until: "session" | Date; readonly reason: string; readonly by: string },
  ): string;
  /** Ends the permission with this id. Returns false if there is none. */
  revoke(id: string): boolean;
  mode: PermissionMode;
  /** Lists all permissions in force, oldest first. Rules are not listed: they cannot be revoked. */
  list(): readonly StandingPermission[];
}
