import type { Diagnostic } from "@hasp/base/diagnostics";
import { dropUndefined, toObject, isObject } from "@hasp/base/json";
import { exportDiagnostics } from "./diagnostics.js";

interface Author {
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
}

interface RegistryIcon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
}

function readTexts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}

/** Parses an author, written `Name <email> (url)` or as an object. */
function readAuthor(author: unknown): Author | undefined {
  const parts = /^([^<(]+)(?:<([^<>]+)>\s*)?(?:\(([^)]+)\))?$/u.exec(typeof author === "string" ? author : "");
  const { name = parts?.[1], email = parts?.[2], url = parts?.[3] } = toObject(author);
  if (typeof name !== "string" || name.trim() === "") return undefined;
  const address = parseHttpsAddress(url);
  return {
    name: name.trim(),
    ...(typeof email === "string" && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u.test(email) && { email }),
    ...dropUndefined({ url: address }),
  };
}

function readIcons(icons: unknown): readonly RegistryIcon[] | undefined {
  if (!Array.isArray(icons)) return undefined;
  const read = icons.map((icon: unknown): RegistryIcon | undefined => {
    const { src, mimeType, sizes } = toObject(icon);
    const address = parseHttpsAddress(src);
    const list = readTexts(sizes)?.filter((size) => /^(?:\d+x\d+|any)$/u.test(size));
    if (address === undefined || address.length > 255) return undefined;
    const isType = typeof mimeType === "string" && /^image\/(?:png|jpeg|jpg|svg\+xml|webp)$/u.test(mimeType);
    return { src: address, ...(isType && { mimeType }), ...dropUndefined({ sizes: list }) };
  });
  return read.every((icon) => icon !== undefined) ? read : undefined;
}

/** Converts npm's many forms of a repository to the address that people open. */
function parseRepository(repository: unknown): string | undefined {
  const stated: unknown = isObject(repository) ? repository["url"] : repository;
  if (typeof stated !== "string") return undefined;
  const short = /^(?:(github|gitlab):)?([\w.-]+\/[\w.-]+)$/u.exec(stated);
  if (short !== null) return `https://${short[1] ?? "github"}.com/${short[2]}`;
  return parseHttpsAddress(
    stated
      .replace(/^git\+/u, "")
      .replace(/^(?:git|ssh):\/\/(?:git@)?/u, "https://")
      .replace(/\.git$/u, ""),
  );
}

/** Accepts an https address without a user name or password. */
export function parseHttpsAddress(value: unknown): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const { protocol, username, password } = new URL(value);
  return protocol === "https:" && username === "" && password === "" ? value : undefined;
}

/** Facts from a package.json that an export passes on. */
export interface ProjectFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly mcpName?: string;
  readonly author?: Author;
  readonly license?: string;
  readonly homepage?: string;
  readonly repository?: string;
  readonly keywords?: readonly string[];
  readonly icon?: string;
  readonly icons?: readonly RegistryIcon[];
  readonly hasBin: boolean;
  readonly isPrivate: boolean;
  /** True if hasp is installed for development only. */
  readonly isHaspForDevelopment: boolean;
}

export type PackageField = "name" | "version" | "description" | "mcpName" | "author" | "icon" | "icons";

type FieldReader<Value> = (value: unknown) => Value | undefined;

/** The fields of package.json that must have a certain form wherever they are stated. */
const FIELDS: { readonly [Field in PackageField]: FieldReader<NonNullable<ProjectFacts[Field]>> } = {
  name: matching(/^(?=.{1,214}$)(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/u),
  version: matching(/^(?=.{1,255}$)\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/u),
  description: matching(/^[^\p{Cc}]{1,100}$/u),
  mcpName: matching(/^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/u),
  author: readAuthor,
  icon: matching(/\.png$/iu),
  icons: readIcons,
};

const ALWAYS_NEEDED: readonly PackageField[] = ["name", "version", "description"];

/**
 * Reads the facts for an export from a package.json. Reports missing and malformed fields. `needs` are the fields that
 * only this kind of export requires.
 */
export function readFacts(
  manifest: { readonly [field: string]: unknown },
  needs: readonly PackageField[],
): { readonly facts: ProjectFacts } | { readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const values: { [field: string]: unknown } = {};
  for (const [field, read] of Object.entries(FIELDS) as readonly [PackageField, FieldReader<unknown>][]) {
    const stated = manifest[field];
    // `npm init` writes empty texts.
    if (stated === undefined || stated === "") {
      if (!ALWAYS_NEEDED.includes(field) && !needs.includes(field)) continue;
      diagnostics.push(exportDiagnostics("missing-field", undefined, { variant: field, field }));
      continue;
    }
    const value = read(stated);
    if (value === undefined) diagnostics.push(exportDiagnostics("invalid-field", undefined, { variant: field }));
    else values[field] = value;
  }
  if (diagnostics.length > 0) return { diagnostics };
  const { name, version, description, ...optional } = values as Pick<ProjectFacts, PackageField>;
  const { license } = manifest;
  const repository = parseRepository(manifest["repository"]);
  const homepage = parseHttpsAddress(manifest["homepage"]);
  const keywords = readTexts(manifest["keywords"]);
  return {
    facts: {
      name,
      version,
      description,
      ...optional,
      ...(typeof license === "string" && { license }),
      ...dropUndefined({ repository, homepage, keywords }),
      hasBin: typeof manifest["bin"] === "string" || isObject(manifest["bin"]),
      isPrivate: manifest["private"] === true,
      isHaspForDevelopment: lists(manifest["devDependencies"]) && !lists(manifest["dependencies"]),
    },
  };
}

/** True if a list of dependencies names hasp. */
const lists = (dependencies: unknown): boolean => isObject(dependencies) && Object.hasOwn(dependencies, "hasp");

function matching(form: RegExp): FieldReader<string> {
  return (value) => (typeof value === "string" && form.test(value) ? value : undefined);
}
