/** A format whose meaning is asserted, not only noted. */
interface AssertedFormat {
  accepts(text: string): boolean;
  readonly example: string;
}

export interface Formats {
  readonly [name: string]: AssertedFormat;
}

export const plainFormats: Formats = {
  "date-time": { accepts: isDateTime, example: "2030-01-31T12:00:00Z" },
  date: { accepts: isDate, example: "2030-01-31" },
  time: { accepts: isTime, example: "12:00:00Z" },
  duration: {
    accepts: (text) =>
      /^P(?!$)(?:\d+W|(?:\d+Y(?!\d+D))?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H(?!\d+S))?(?:\d+M)?(?:\d+S)?)?)$/.test(text),
    example: "P3DT12H",
  },
  uuid: {
    accepts: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){4}[\da-f]{8}$/i.test(text),
    example: "123e4567-e89b-12d3-a456-426614174000",
  },
  "json-pointer": { accepts: (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text), example: "/items/0" },
  regex: { accepts: isRegex, example: "^[a-z]+$" },
};

/** The formats whose checks are long, so that a validator may come without them. */
export const longFormats: Formats = {
  email: { accepts: isEmail, example: "name@example.com" },
  hostname: { accepts: isHostname, example: "www.example.com" },
  ipv4: { accepts: isIpv4, example: "192.0.2.1" },
  ipv6: { accepts: isIpv6, example: "2001:db8::1" },
  uri: {
    accepts: (text) => /^[a-z][^/?#]*:/i.test(text) && isUriReference(text),
    example: "https://example.com/path",
  },
  "uri-reference": { accepts: isUriReference, example: "../path" },
};

/**
 * The formats that hasp asserts; any other is an annotation. Every test is linear in the length of the text. Where the
 * specifications leave room: `hostname` is RFC 1123 in ASCII, without the Punycode rules behind `xn--`; `email` is RFC
 * 5321's Mailbox, quoted local parts and address literals included; `uri` is RFC 3986 in ASCII; `duration` is RFC
 * 3339's; `regex` is ECMA-262 with the flag `u`.
 */
export const assertedFormats: ReadonlyMap<string, AssertedFormat> = /* @__PURE__ */ listFormats();

function listFormats(): ReadonlyMap<string, AssertedFormat> {
  return new Map(Object.entries({ ...plainFormats, ...longFormats }));
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? 28 + Number(isLeap) : 30 + ((month + (month >> 3)) & 1);
  return month > 0 && month < 13 && day > 0 && day <= days;
}

function isTime(text: string): boolean {
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i.test(text)) {
    return false;
  }
  if (text.slice(6, 8) !== "60") return true;
  // A leap second is the last of a day in UTC.
  const minutes = (at: number): number =>
    Number(text.slice(at).slice(0, 2)) * 60 + Number(text.slice(at + 3).slice(0, 2));
  const offset = /z$/i.test(text) ? 0 : minutes(text.length - 5) * (text.at(-6) === "-" ? -1 : 1);
  return (minutes(0) - offset + 1440) % 1440 === 1439;
}

function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /^t$/i.test(text.charAt(10)) && isTime(text.slice(11));
}

function isHostname(text: string): boolean {
  return text.length < 254 && text.split(".").every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const domain = text.slice(at + 1);
  if (
    at > 64 ||
    !/^(?:[\w!#$%&'*+/=?^`{|}~-]+(?:\.(?!$)|$))+$|^"(?:[ !#-[\]-~]|\\[ -~])*"$/.test(text.slice(0, Math.max(at, 0)))
  ) {
    return false;
  }
  const [, ipv6, ip] = /^\[(ipv6:)?(.*)\]$/i.exec(domain) ?? [];
  return ip === undefined ? isHostname(domain) : (ipv6 === undefined ? isIpv4 : isIpv6)(ip);
}

function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);
}

function isIpv6(text: string): boolean {
  const last = text.slice(text.lastIndexOf(":") + 1);
  if (last.includes(".")) return isIpv4(last) && isIpv6(`${text.slice(0, -last.length)}0:0`);
  const halves = text.split("::");
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const isComplete = halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8;
  return isComplete && groups.every((group) => /^[\da-f]{1,4}$/i.test(group));
}

// RFC 3986. Without a scheme the first segment holds no colon; without an authority the path begins with no `//`.
function createUriShape(): RegExp {
  const plain = String.raw`[\w.~!$&'()*+,;=-]|%[\da-f]{2}`;
  return new RegExp(
    String.raw`^(?:[a-z][a-z\d+.-]*:|(?![^/?#]*:))` +
      String.raw`(?://(?:(?:${plain}|:)*@)?(?:\[([^\]]*)\]|(?:${plain})*)(?::\d*)?(?=[/?#]|$)|(?!//))` +
      String.raw`(?:${plain}|[:@/?])*(?:#(?:${plain}|[:@/?])*)?$`,
    "i",
  );
}

const uriShape = /* @__PURE__ */ createUriShape();

function isUriReference(text: string): boolean {
  const found = uriShape.exec(text);
  return (
    found !== null &&
    (found[1] === undefined || isIpv6(found[1]) || /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(found[1]))
  );
}

function isRegex(text: string): boolean {
  try {
    return new RegExp(text, "u").unicode;
  } catch {
    return false;
  }
}
