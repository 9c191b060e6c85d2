/** A format whose meaning is asserted, not only noted. */
export interface AssertedFormat {
  accepts(text: string): boolean;
  /** What a value must be, in words for a message. */
  readonly words: string;
}

/**
 * The formats that hasp asserts; any other is an annotation. Every test is linear in the length of the text. Where a
 * specification leaves room: `hostname` is RFC 1123 in ASCII, without the Punycode rules behind `xn--`; `email` is RFC 5321's
 * Mailbox, quoted local parts and address literals included; `uri` is RFC 3986 in ASCII; `regex` is ECMA-262 with the flag `u`.
 */
export const assertedFormats: ReadonlyMap<string, AssertedFormat> = new Map([
  ["date-time", { accepts: isDateTime, words: "a date-time with offset such as 2030-01-31T12:00:00Z" }],
  ["date", { accepts: isDate, words: "a date such as 2030-01-31" }],
  ["time", { accepts: isTime, words: "a time with offset such as 12:00:00Z" }],
  ["duration", { accepts: isDuration, words: "an ISO 8601 duration such as P3DT12H" }],
  ["email", { accepts: isEmail, words: "an e-mail address such as name@example.com" }],
  ["hostname", { accepts: isHostname, words: "a host name such as www.example.com" }],
  ["ipv4", { accepts: isIpv4, words: "an IPv4 address such as 192.0.2.1" }],
  ["ipv6", { accepts: isIpv6, words: "an IPv6 address such as 2001:db8::1" }],
  ["uri", { accepts: isUri, words: "an absolute URI such as https://example.com/path" }],
  ["uri-reference", { accepts: isUriReference, words: "a URI or relative reference such as ../path" }],
  ["uuid", { accepts: isUuid, words: "a UUID such as 123e4567-e89b-12d3-a456-426614174000" }],
  ["json-pointer", { accepts: isJsonPointer, words: "a JSON Pointer such as /items/0" }],
  ["regex", { accepts: isRegex, words: "a regular expression (ECMA-262, Unicode)" }],
]);

function isDate(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return month >= 1 && month <= 12 && day >= 1 && day <= days;
}

function isTime(text: string): boolean {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (match === null) return false;
  const [hour = 0, minute = 0, second = 0] = match.slice(1, 4).map(Number);
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  // A leap second is the last of a day in UTC.
  const offset = (offsetHour * 60 + offsetMinute) * (match[4] === "-" ? -1 : 1);
  return (hour * 60 + minute - offset + 2880) % 1440 === 1439;
}

function isDateTime(text: string): boolean {
  return /^[t]$/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isDuration(text: string): boolean {
  return (
    /^P(?:\d+W|(?=[\dT])(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/.test(text) &&
    // RFC 3339 appendix A: units may not be skipped.
    !/Y\d+D|H\d+S/.test(text)
  );
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || at > 64) return false;
  const isLocal = local.startsWith('"')
    ? /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/.test(local)
    : local.split(".").every((atom) => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(atom));
  const literal = /^\[(?:(ipv6:)?(.*))\]$/i.exec(domain);
  if (literal === null) return isLocal && isHostname(domain);
  return isLocal && (literal[1] === undefined ? isIpv4 : isIpv6)(literal[2] ?? "");
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}

function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1) ?? "";
  const hasIpv4 = last.includes(".") && text.endsWith(last);
  const count = groups.length + (hasIpv4 ? 1 : 0);
  if (hasIpv4 && !isIpv4(last)) return false;
  const hex = hasIpv4 ? groups.slice(0, -1) : groups;
  return hex.every((group) => /^[\da-f]{1,4}$/i.test(group)) && (halves.length === 2 ? count < 8 : count === 8);
}

const uriText = String.raw`(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*`;
const uriShape = new RegExp(String.raw`^(?:([a-z][a-z\d+.-]*):)?(?://([^/?#]*))?(${uriText})(?:#(${uriText}))?$`, "i");
const authorityShape = /^(?:(?:[\w\-.~!$&'()*+,;=:]|%[\da-f]{2})*@)?(?:\[([^\]]*)\]|(?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})*)(?::\d*)?$/i;

function isUriReference(text: string): boolean {
  const match = uriShape.exec(text);
  if (match === null) return false;
  const [, scheme, authority, path = ""] = match;
  // Without a scheme, the first segment of a path may not look like one.
  if (scheme === undefined && authority === undefined && /^[^/?]*:/.test(path)) return false;
  if (authority === undefined) return !path.startsWith("//");
  const host = authorityShape.exec(authority);
  if (host === null) return false;
  return host[1] === undefined || isIpv6(host[1]) || /^v[\da-f]+\.[\w\-.~!$&'()*+,;=:]+$/i.test(host[1]);
}

function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(text) && isUriReference(text);
}

function isUuid(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

function isJsonPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);
}

function isRegex(text: string): boolean {
  try {
    return new RegExp(text, "u").unicode;
  } catch {
    return false;
  }
}
