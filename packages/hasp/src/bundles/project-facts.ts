import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { isObject } from "../model/json-kind.js";
import { exportDiagnostics } from "./diagnostics.js";

/** What a package.json says that an export passes on. */
export interface ProjectFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** The server's name in the registry, `namespace/name`. */
  readonly mcpName?: string;
  readonly author?: { readonly name: string; readonly email?: string; readonly url?: string };
  readonly license?: string;
  readonly homepage?: string;
  /** An https address. */
  readonly repository?: string;
  readonly keywords?: readonly string[];
  /** A file of the project. */
  readonly icon?: string;
  readonly icons?: readonly RegistryIcon[];
  readonly type?: string;
  readonly hasBin: boolean;
  readonly isPrivate: boolean;
  readonly dependencies: readonly string[];
}

/** An icon at an https address. */
export interface RegistryIcon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
}

/** A field of a package.json: its form, what is said of another one, and where one is needed. */
interface TextField {
  readonly form: RegExp;
  readonly problem: string;
  readonly help: string;
}

const FIELDS = {
  name: {
    form: /^(?=.{1,214}$)(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/u,
    problem: "must be a package name",
    help: "Use lower-case letters, digits, and - . _ between them.",
  },
  version: {
    form: /^(?=.{1,255}$)\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/u,
    problem: "must be one exact version",
    help: "For example 1.0.0.",
  },
  description: {
    form: /^[^\p{Cc}]{1,100}$/u,
    problem: "must be one line of at most 100 characters",
    help: "It says what the server is for; the registry accepts no longer text.",
  },
  mcpName: {
    form: /^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/u,
    problem: "must be a name of the MCP registry",
    help: 'Add for example "mcpName": "io.github.you/your-server". The part before the slash is a domain of yours, reversed.',
  },
} as const satisfies { readonly [field: string]: TextField };

/** The fields that each kind of export needs. */
export const NEEDED_FIELDS = {
  "server-json": ["name", "version", "description", "mcpName"],
  mcpb: ["name", "version", "description", "author"],
} as const;
/** A kind of export. */
export type ExportKind = keyof typeof NEEDED_FIELDS;

/** Reads what an export needs of a package.json. What is needed and missing, or of another form, is a finding. */
export function readFacts(
  manifest: { readonly [field: string]: unknown },
  kind: ExportKind,
): { readonly facts: ProjectFacts } | { readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const wrong = (field: string, problem: string, help: string): void =>
    void diagnostics.push(exportDiagnostics("field", undefined, { field, problem, help }));
  const isNeeded = (field: string): boolean => (NEEDED_FIELDS[kind] as readonly string[]).includes(field);
  for (const [field, { form, problem, help }] of Object.entries<TextField>(FIELDS)) {
    const value = manifest[field];
    if (value === undefined ? isNeeded(field) : typeof value !== "string" || !form.test(value)) {
      wrong(field, value === undefined ? "is missing" : problem, help);
    }
  }
  const author = readAuthor(manifest["author"]);
  if (author === undefined && isNeeded("author")) {
    wrong("author", "is missing", 'Add "author": "Your Name", which clients show beside the bundle.');
  }
  const icon = manifest["icon"];
  if (icon !== undefined && (typeof icon !== "string" || !/\.png$/iu.test(icon))) {
    wrong("icon", "must be a PNG file of the project", "Clients show it beside the server.");
  }
  const icons = readIcons(manifest["icons"]);
  if (icons === "wrong") {
    wrong("icons", 'must be a list of { "src", "mimeType"?, "sizes"? }', "Each src is an https address.");
  }
  if (diagnostics.length > 0) return { diagnostics };
  const repository = repositoryOf(manifest["repository"]);
  const homepage = httpsOf(manifest["homepage"]);
  const keywords = listOfText(manifest["keywords"]);
  return {
    facts: {
      name: String(manifest["name"]),
      version: String(manifest["version"]),
      description: String(manifest["description"]),
      ...text("mcpName", manifest["mcpName"]),
      ...text("license", manifest["license"]),
      ...text("icon", icon),
      ...text("type", manifest["type"]),
      ...(author !== undefined && { author }),
      ...(icons !== undefined && icons !== "wrong" && { icons }),
      ...(repository !== undefined && { repository }),
      ...(homepage !== undefined && { homepage }),
      ...(keywords !== undefined && { keywords }),
      hasBin: typeof manifest["bin"] === "string" || isObject(manifest["bin"]),
      isPrivate: manifest["private"] === true,
      dependencies: isObject(manifest["dependencies"]) ? Object.keys(manifest["dependencies"]).toSorted() : [],
    },
  };
}

function text<Name extends string>(name: Name, value: unknown): { readonly [field in Name]?: string } {
  return (typeof value === "string" ? { [name]: value } : {}) as { readonly [field in Name]?: string };
}

function listOfText(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}

/** `Name <mail> (address)`, or the same as an object. */
function readAuthor(author: unknown): ProjectFacts["author"] {
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

function readIcons(icons: unknown): readonly RegistryIcon[] | "wrong" | undefined {
  if (icons === undefined) return undefined;
  if (!Array.isArray(icons)) return "wrong";
  const read = icons.map((icon: unknown): RegistryIcon | undefined => {
    const { src, mimeType, sizes } = isObject(icon) ? icon : {};
    const address = httpsOf(src);
    const list = listOfText(sizes)?.filter((size) => /^(?:\d+x\d+|any)$/u.test(size));
    if (address === undefined || address.length > 255) return undefined;
    const isType = typeof mimeType === "string" && /^image\/(?:png|jpeg|jpg|svg\+xml|webp)$/u.test(mimeType);
    return { src: address, ...(isType && { mimeType }), ...(list !== undefined && { sizes: list }) };
  });
  return read.every((icon) => icon !== undefined) ? read : "wrong";
}

/** The address of a repository as people open it; npm has many forms of it. */
function repositoryOf(repository: unknown): string | undefined {
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

/** An https address without a name or password in it. */
export function httpsOf(value: unknown): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const { protocol, username, password } = new URL(value);
  return protocol === "https:" && username === "" && password === "" ? value : undefined;
}
