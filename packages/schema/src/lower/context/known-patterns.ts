import type { SchemaObject } from "../../vocabulary/json-schema.js";

interface KnownPattern {
  /** The format that the pattern repeats. */
  readonly format: string;
  /** The part that the format alone does not say. */
  readonly further?: string;
}

// The patterns that Zod 4.6 and ArkType 2.2 write beside a format, as their JSON Schemas spell them.
const ZOD_DATE =
  "(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))";
const ZOD_TIME = "(?:[01]\\d|2[0-3]):[0-5]\\d";
const ZOD_SECONDS = `${ZOD_TIME}:[0-5]\\d(?:\\.\\d+)?`;
const ZOD_LOCAL_TIME = `${ZOD_TIME}(?::[0-5]\\d(?:\\.\\d+)?)?`;
const ZOD_OFFSET = "([+-](?:[01]\\d|2[0-3]):[0-5]\\d)";
const HEX = "[0-9a-fA-F]";
const OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])";
const GROUP = `${HEX}{1,4}`;

const zodUuid = (version: string): string => `${HEX}{8}-${HEX}{4}-${version}${HEX}{3}-[89abAB]${HEX}{3}-${HEX}{12}`;
const arkUuid = (version: string): string =>
  `^[\\dA-Fa-f]{8}-[\\dA-Fa-f]{4}-${version}[\\dA-Fa-f]{3}-[89ABab][\\dA-Fa-f]{3}-[\\dA-Fa-f]{12}$`;

const UUID: KnownPattern = { format: "uuid" };
const EMAIL: KnownPattern = { format: "email" };
const DATE_TIME: KnownPattern = { format: "date-time" };
const UTC: KnownPattern = { format: "date-time", further: "In UTC: it ends with Z." };
const VERSIONS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8];

const known: ReadonlyMap<string, KnownPattern> = /* @__PURE__ */ new Map<string, KnownPattern>([
  [`^${ZOD_DATE}$`, { format: "date" }],
  [`^${ZOD_DATE}T(?:${ZOD_SECONDS}(?:Z))$`, UTC],
  [`^${ZOD_DATE}T(?:${ZOD_SECONDS}(?:Z|${ZOD_OFFSET}))$`, DATE_TIME],
  [
    `^${ZOD_DATE}T(?:${ZOD_SECONDS}(?:Z)|${ZOD_LOCAL_TIME})$`,
    { format: "date-time", further: "It ends with Z, or says no offset." },
  ],
  [`^${ZOD_LOCAL_TIME}$`, { format: "time", further: "Without an offset." }],
  [
    "^P(?:(\\d+W)|(?!.*W)(?=\\d|T\\d)(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+([.,]\\d+)?S)?)?)$",
    { format: "duration" },
  ],
  [
    "^(?:[A-Za-z0-9_'+\\-]+\\.)*[A-Za-z0-9_'+\\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
    EMAIL,
  ],
  ["^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$", EMAIL],
  ["^[\\w%+.-]+@[\\d.A-Za-z-]+\\.[A-Za-z]{2,}$", EMAIL],
  [`^(${zodUuid("[1-8]")}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$`, UUID],
  [`^(${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12})$`, UUID],
  [arkUuid("[1-8]"), UUID],
  ...VERSIONS.flatMap((version): readonly (readonly [string, KnownPattern])[] => {
    const of: KnownPattern = { format: "uuid", further: `Of version ${version}.` };
    return [
      [`^(${zodUuid(String(version))})$`, of],
      [arkUuid(String(version)), of],
    ];
  }),
  [`^(?:${OCTET}\\.){3}${OCTET}$`, { format: "ipv4" }],
  [
    `^((${GROUP}:){7}${GROUP}|(${GROUP}:){1,7}:|(${GROUP}:){1,6}:${GROUP}|(${GROUP}:){1,5}(:${GROUP}){1,2}|(${GROUP}:){1,4}(:${GROUP}){1,3}|(${GROUP}:){1,3}(:${GROUP}){1,4}|(${GROUP}:){1,2}(:${GROUP}){1,5}|${GROUP}:((:${GROUP}){1,6})|:((:${GROUP}){1,7}|:))$`,
    { format: "ipv6" },
  ],
  [
    "^(?=.{1,253}\\.?$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\\.?$",
    { format: "hostname" },
  ],
]);

/** Puts a pattern in words: those of the format that a library writes it for, where it is known. */
export function describePattern(pattern: string, { format }: Pick<SchemaObject, "format">): string | undefined {
  const meant = known.get(pattern);
  if (meant === undefined) return `Matches the regular expression ${pattern}`;
  const said = [format === meant.format ? undefined : `Format: ${meant.format}.`, meant.further];
  return said.filter((part) => part !== undefined).join(" ") || undefined;
}
