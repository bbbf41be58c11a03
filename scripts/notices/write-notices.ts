/**
 * Writes what the licences of bundled packages ask for: `THIRD-PARTY-NOTICES.txt` for people and `sbom.cdx.json` (CycloneDX) for programs.
 * Both are made of the packages alone: the same build writes the same bytes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readBundledPackages } from "./bundled-packages.ts";
import { type LicensedPackage, readPackages } from "./package-licence.ts";

interface Product {
  name: string;
  version: string;
  license: string;
  dependencies?: Record<string, string>;
}

/** After the build of the product and of the page. Throws for a package without a licence. */
export function writeNotices(root: string): void {
  const dist = join(root, "dist");
  const product = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Product;
  // What is not bundled is installed beside it, and is shipped with it in the image.
  const beside = Object.keys(product.dependencies ?? {}).map((name) => `node_modules/${name}`);
  const folders = [...readBundledPackages(dist), ...readBundledPackages(join(dist, "web")), ...beside];
  const packages = distinct([...new Set(folders)].flatMap((folder) => readPackages(join(root, folder))));
  writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), renderNotices(packages));
  writeFileSync(
    join(dist, "sbom.cdx.json"),
    `${JSON.stringify(makeSbom(product, packages), undefined, 2)}\n`,
  );
}

/** By name and version; several copies of one version count once. */
function distinct(packages: readonly LicensedPackage[]): LicensedPackage[] {
  const byName = new Map(packages.map((each) => [`${each.name}@${each.version}`, each]));
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** Pure. A text that several packages share stands once, after all of them. */
export function renderNotices(packages: readonly LicensedPackage[]): string {
  const byText = new Map<string, LicensedPackage[]>();
  for (const each of packages) byText.set(each.text, [...(byText.get(each.text) ?? []), each]);
  const parts = [...byText].map(([text, those]) =>
    [...those.map(({ name, version, licence }) => `${name} ${version}: ${licence}`), "", text].join("\n"),
  );
  const head = `This product contains ${packages.length} packages by others, under the licences below.`;
  return `${[head, ...parts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** Pure. CycloneDX 1.6, without a time or a serial number. */
export function makeSbom(product: Product, packages: readonly LicensedPackage[]): object {
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", ...componentOf({ ...product, licence: product.license }) },
    },
    components: packages.map((each) => ({ type: "library", ...componentOf(each) })),
  };
}

function componentOf({
  name,
  version,
  licence,
}: Pick<LicensedPackage, "name" | "version" | "licence">): object {
  const [last = name, group] = name.split("/").toReversed();
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return {
    "bom-ref": purl,
    ...(group === undefined ? {} : { group }),
    name: last,
    version,
    licenses: [/[ (]/.test(licence) ? { expression: licence } : { license: { id: licence } }],
    purl,
  };
}
