import type { Happening } from "@hasp/compiler/handlers";
import { findHttpEffects } from "../http/effects.js";

interface HttpClient {
  readonly method: string;
  /** Options that send data and imply POST. */
  readonly data: string;
  /** Options that send a file and imply PUT. */
  readonly upload?: string;
  /** Options that turn data into a query and imply GET. */
  readonly query?: string;
  /** Options that write a file, unless it is `-` or `/dev/null`. */
  readonly files?: string;
  /** Options that do none of this, alone or with a fixed value. */
  readonly plain?: string;
  readonly plainWithValue?: string;
  /** Options that send a header; `@` reads headers from a file. */
  readonly header: string;
  /** Options that send cookies, or read them from a file. */
  readonly cookies?: string;
  /** True if an operand is an address, which must then be HTTP. */
  readonly hasAddress?: boolean;
}

// prettier-ignore
export const HTTP_CLIENTS: { readonly [name: string]: HttpClient | undefined } = {
  curl: {
    method: "-X --request",
    data: "-d --data --data-raw --data-binary --data-ascii --data-urlencode --json -F --form --form-string",
    upload: "-T --upload-file",
    query: "-G --get",
    files: "-o --output -O --remote-name -c --cookie-jar -D --dump-header --etag-save --trace --trace-ascii --stderr",
    plain: "-s --silent -S --show-error -f --fail --fail-with-body -L --location -i --include -I --head -v --verbose -k --insecure --compressed -g --globoff -4 -6 -N --no-buffer --http1.1 --http2 --no-progress-meter",
    header: "-H --header",
    cookies: "-b --cookie",
    plainWithValue: "-A --user-agent -u --user -m --max-time --connect-timeout -e --referer --retry --retry-delay --retry-max-time --max-filesize",
    hasAddress: true,
  },
  wget: { method: "--method", data: "--post-data --post-file --body-data --body-file", header: "--header" },
  "gh api": { method: "-X --method", data: "-f --raw-field -F --field --input", plain: "--paginate --slurp -i --include --silent", header: "-H --header", plainWithValue: "-q --jq -t --template --cache --hostname -p --preview" },
};

/** Finds the effect of a command's request, and the index of the word that proves it; `undefined` if unknown. */
export function findClientEffect(
  client: HttpClient,
  words: readonly string[],
): (Happening & { readonly word: number }) | undefined {
  const found: { method?: Word; data?: Word; file?: Word; isQuery?: boolean; isUnknown?: boolean } = {};
  /** The words that name headers and parameters, some of which override the method. */
  const named: { readonly headers: Map<string, number>; readonly query: Map<string, number> } = {
    headers: new Map(),
    query: new Map(),
  };
  const isCurl = client.hasAddress === true;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const at = index + 1;
    const { name, value, takesNext } = parseOption(client, word, words[at]);
    if (takesNext) index += 1;
    const isChosen = hasPlaceholder(value);
    if (name === undefined) {
      // A value within an address may begin another parameter.
      if (isCurl && (isChosen || !/^https?:\/\//iu.test(word))) found.isUnknown = true;
      for (const [, parameter = ""] of word.matchAll(/[?&;]([^=&;#]*)/gu)) named.query.set(parameter, at);
    } else if (has(client.method, name)) found.method = { text: value, at };
    else if (has(client.data, name)) {
      found.data ??= { text: "POST", at };
      const [parameter = ""] = value.split("=");
      named.query.set(parameter, at);
      const isOneValue = !isCurl || name === "--data-urlencode";
      if (isOneValue ? hasPlaceholder(parameter) : isChosen || /^@|[&;]/u.test(value)) found.isUnknown = true;
    } else if (has(client.upload, name)) found.data ??= { text: "PUT", at };
    else if (has(client.query, name)) found.isQuery = true;
    else if (has(client.header, name)) {
      named.headers.set(value.replace(/[:;].*/su, "").trim(), at);
      if (isChosen || value.startsWith("@")) found.isUnknown = true;
    } else if (has(client.cookies, name)) {
      if (isChosen || !value.includes("=")) found.isUnknown = true;
    } else if (has(client.files, name)) {
      if (value !== "-" && value !== "/dev/null") found.file ??= { text: name, at };
    } else if (isChosen || !(has(client.plain, name) || has(client.plainWithValue, name))) found.isUnknown = true;
  }
  const { method = found.isQuery === true ? undefined : found.data, data, file } = found;
  if (method !== undefined && hasPlaceholder(method.text)) {
    return { verdict: "writes", reason: "sends whatever method the call names", word: method.at };
  }
  const [effect] = findHttpEffects({
    method: method?.text.toUpperCase() ?? "GET",
    headers: Object.fromEntries(named.headers),
    query: [...named.query.keys()],
  });
  if (effect === undefined) return undefined;
  const { at, ...happening } = effect;
  if (happening.verdict === "writes") {
    const place = [...named.headers, ...named.query].find(([name]) => happening.reason.includes(`"${name}"`));
    return { ...happening, word: at === "/method" ? (method?.at ?? 0) : (place?.[1] ?? 0) };
  }
  if (file !== undefined) return { verdict: "writes", reason: `writes a file (${file.text})`, word: file.at };
  const sendsBody = isCurl && data !== undefined && found.isQuery !== true;
  const isDoubtful = found.isUnknown === true || sendsBody || client.plain === undefined;
  return isDoubtful || happening.verdict === "unknown" ? undefined : { ...happening, word: 0 };
}

function hasPlaceholder(text: string): boolean {
  return /\{[^{}]+\}/u.test(text);
}

interface Word {
  readonly text: string;
  readonly at: number;
}

interface ClientOption {
  readonly name: string | undefined;
  readonly value: string;
  readonly takesNext: boolean;
}

/** Parses an option: `--name value`, `--name=value`, `-n value`, `-nvalue`, or bundled letters such as `-sSd value`. */
function parseOption(client: HttpClient, word: string, next = ""): ClientOption {
  if (!/^-./u.test(word)) return { name: undefined, value: word, takesNext: false };
  if (word.startsWith("--")) {
    const [name = "", ...value] = word.split("=");
    const takesNext = value.length === 0 && hasValue(client, name);
    return { name, value: takesNext ? next : value.join("="), takesNext };
  }
  for (let index = 1; index < word.length; index += 1) {
    const name = `-${word.charAt(index)}`;
    if (has(client.plain, name) || (has(client.query, name) && index < word.length - 1)) {
      if (index < word.length - 1) continue;
      return { name, value: "", takesNext: false };
    }
    const rest = word.slice(index + 1);
    const takesNext = rest === "" && hasValue(client, name);
    return { name, value: takesNext ? next : rest, takesNext };
  }
  return { name: word, value: "", takesNext: false };
}

function hasValue(client: HttpClient, name: string): boolean {
  if (name === "-O" || name === "--remote-name") return false;
  const { method, data, upload, files, header, cookies, plainWithValue } = client;
  return [method, data, upload, files, header, cookies, plainWithValue].some((list) => has(list, name));
}

function has(list: string | undefined, name: string): boolean {
  return list?.split(" ").includes(name) === true;
}
