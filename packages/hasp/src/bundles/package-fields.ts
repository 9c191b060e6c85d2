import { isObject } from "../../../compiler/src/model/json-kind.js";

export interface Author {
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
}

export interface RegistryIcon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
}

/** Returns a list of texts, or `undefined` for anything else. */
export function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}

/** Parses an author, written `Name <email> (url)` or as an object. */
export function readAuthor(author: unknown): Author | undefined {
  const parts = /^([^<(]+?)\s*(?:<([^>]+)>)?\s*(?:\(([^)]+)\))?$/u.exec(typeof author === "string" ? author : "");
  const { name = parts?.[1], email = parts?.[2], url = parts?.[3] } = isObject(author) ? author : {};
  if (typeof name !== "string" || name.trim() === "") return undefined;
  const address = httpsOf(url);
  return {
    name: name.trim(),
    ...(typeof email === "string" && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u.test(email) && { email }),
    ...(address !== undefined && { url: address }),
  };
}

/** Reads icons; `undefined` if one of them is not at an https address. */
export function readIcons(icons: unknown): readonly RegistryIcon[] | undefined {
  if (!Array.isArray(icons)) return undefined;
  const read = icons.map((icon: unknown): RegistryIcon | undefined => {
    const { src, mimeType, sizes } = isObject(icon) ? icon : {};
    const address = httpsOf(src);
    const list = textsOf(sizes)?.filter((size) => /^(?:\d+x\d+|any)$/u.test(size));
    if (address === undefined || address.length > 255) return undefined;
    const isType = typeof mimeType === "string" && /^image\/(?:png|jpeg|jpg|svg\+xml|webp)$/u.test(mimeType);
    return { src: address, ...(isType && { mimeType }), ...(list !== undefined && { sizes: list }) };
  });
  return read.every((icon) => icon !== undefined) ? read : undefined;
}

/** Converts npm's many forms of a repository to the address that people open. */
export function repositoryOf(repository: unknown): string | undefined {
  const stated: unknown = isObject(repository) ? repository["url"] : repository;
  if (typeof stated !== "string") return undefined;
  const short = /^(?:(github|gitlab):)?([\w.-]+\/[\w.-]+)$/u.exec(stated);
  if (short !== null) return `https://${short[1] ?? "github"}.com/${short[2]}`;
  return httpsOf(
    stated
      .replace(/^git\+/u, "")
      .replace(/^(?:git|ssh):\/\/(?:git@)?/u, "https://")
      .replace(/\.git$/u, ""),
  );
}

/** Accepts an https address without a user name or password. */
export function httpsOf(value: unknown): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const { protocol, username, password } = new URL(value);
  return protocol === "https:" && username === "" && password === "" ? value : undefined;
}
