import { isObject } from "../../../compiler/src/model/json-kind.js";

/** The author of a package. */
export interface Author {
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
}

/** An icon at an https address. */
export interface RegistryIcon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
}

/** A list of texts; `undefined` if it is something else. */
export function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}

/** The author of a package, written `Name <email> (url)` or as an object. */
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

/** A list of icons; `undefined` if one of them is not at an https address. */
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

/** The address at which people open a repository, which npm lets authors write in many forms. */
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

/** An https address without a user name or password. */
export function httpsOf(value: unknown): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const { protocol, username, password } = new URL(value);
  return protocol === "https:" && username === "" && password === "" ? value : undefined;
}
