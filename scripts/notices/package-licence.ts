/** What a package says about itself and its licence. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface LicensedPackage {
  name: string;
  version: string;
  /** An SPDX expression. */
  licence: string;
  /** The texts that it ships, or the standard one with its author. */
  text: string;
}

interface Manifest {
  name: string;
  version: string;
  license?: string | { type?: string };
  licenses?: Array<{ type?: string }>;
  author?: string | { name?: string };
  contributors?: Array<string | { name?: string }>;
  devDependencies?: Record<string, string>;
}

/** Packages whose published files contain another one whole. Which version that is, their manifest says. */
const within: Record<string, { name: string; licence: string; author: string }> = {
  unpdf: { name: "pdfjs-dist", licence: "Apache-2.0", author: "Mozilla Foundation" },
};

/** The package in the folder and what it contains. Throws for one without a licence: it may not be shipped. */
export function readPackages(folder: string): LicensedPackage[] {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const { name, version, devDependencies = {} } = manifest;
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isLicenceFile(entry.name))
    .map((entry) => entry.name)
    .sort();
  const shipped = files.map((file) => tidy(readFileSync(join(folder, file), "utf8"))).filter(Boolean);
  const licence = licenceOf(manifest) ?? recognise(shipped[0] ?? "");
  if (licence === undefined) throw new Error(`${name} ${version} has no licence`);
  const text = shipped.length > 0 ? shipped.join("\n\n") : standardText(name, licence, authorOf(manifest));
  const own = { name, version, licence, text };
  const inner = within[name];
  if (inner === undefined) return [own];
  const innerVersion = devDependencies[inner.name]?.replace(/^[~^]/, "");
  if (innerVersion === undefined) throw new Error(`${name} no longer says which ${inner.name} it contains`);
  const innerText = standardText(inner.name, inner.licence, inner.author);
  return [own, { name: inner.name, version: innerVersion, licence: inner.licence, text: innerText }];
}

const isLicenceFile = (name: string): boolean => /^(licen[cs]e|copying|notice|third.?party)/i.test(name);

/** Lines end alike and nothing stands around the text, so that equal texts are equal. */
const tidy = (text: string): string =>
  text
    .replace(/^\uFEFF/, "")
    .replace(/[ \t]*\r?\n/g, "\n")
    .replace(/^\n+|\s+$/g, "");

function licenceOf({ license, licenses = [] }: Manifest): string | undefined {
  const said = typeof license === "string" ? license : license?.type;
  const expression = said ?? (licenses.map(({ type }) => type).join(" OR ") || undefined);
  return expression !== undefined && isExpression(expression) ? expression : undefined;
}

/** Names of SPDX joined by words; `SEE LICENSE IN …` and `UNLICENSED` are none. */
const isExpression = (text: string): boolean =>
  text !== "UNLICENSED" && /^\(*[A-Za-z0-9.+-]+\)*( (AND|OR|WITH) \(*[A-Za-z0-9.+-]+\)*)*$/.test(text);

/** For packages that ship a text and do not name it. */
const recognise = (text: string): string | undefined =>
  /^(the )?mit license/i.test(text) ? "MIT" : undefined;

function authorOf({ name, author, contributors = [] }: Manifest): string {
  const [first] = [author, ...contributors].map((person) =>
    typeof person === "string" ? person : person?.name,
  );
  return first || `the authors of ${name}`;
}

function standardText(name: string, licence: string, author: string): string {
  const file = fileURLToPath(new URL(`standard-texts/${licence}.txt`, import.meta.url));
  try {
    return `Copyright (c) ${author}\n\n${tidy(readFileSync(file, "utf8"))}`;
  } catch (cause) {
    throw new Error(`${name} ships no licence text, and there is no standard text of ${licence}`, { cause });
  }
}
