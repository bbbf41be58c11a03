/** What the build says about the packages that are in it. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { readBundledPackages } from "../scripts/notices/bundled-packages.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The parts of CycloneDX 1.6 that are used, no others allowed. */
const component = (type: "application" | "library") =>
  Type.Object(
    {
      type: Type.Literal(type),
      "bom-ref": Type.String({ minLength: 1 }),
      group: Type.Optional(Type.String({ pattern: "^@" })),
      name: Type.String({ minLength: 1 }),
      version: Type.String({ pattern: "^\\d+\\.\\d+\\.\\d+" }),
      licenses: Type.Tuple([
        Type.Union([
          Type.Object({ license: Type.Object({ id: Type.String({ pattern: "^[A-Za-z0-9.+-]+$" }) }) }),
          Type.Object({ expression: Type.String({ pattern: " (AND|OR|WITH) " }) }),
        ]),
      ]),
      purl: Type.String({ pattern: "^pkg:npm/[^@]+@\\d+\\.\\d+\\.\\d+" }),
    },
    { additionalProperties: false },
  );
const bom = Type.Object(
  {
    $schema: Type.Literal("http://cyclonedx.org/schema/bom-1.6.schema.json"),
    bomFormat: Type.Literal("CycloneDX"),
    specVersion: Type.Literal("1.6"),
    version: Type.Literal(1),
    // Without a time and a serial number, so that the same sources give the same file.
    metadata: Type.Object({ component: component("application") }, { additionalProperties: false }),
    components: Type.Array(component("library")),
  },
  { additionalProperties: false },
);

describe("the built product", () => {
  const sbom = JSON.parse(read("dist/sbom.cdx.json")) as Type.Static<typeof bom>;
  const notices = read("dist/THIRD-PARTY-NOTICES.txt");
  const listed = sbom.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));

  it("has a bill of materials in the form of CycloneDX 1.6, each component once", () => {
    expect([...Value.Errors(bom, sbom)]).toEqual([]);
    const { version } = JSON.parse(read("package.json")) as { version: string };
    expect(sbom.metadata.component).toMatchObject({ name: "pincer", version });
    const refs = sbom.components.map((each) => each["bom-ref"]);
    expect(refs).toEqual([...new Set(refs)].sort());
  });

  it("names every package of the bundle and of the page in both files, with its licence and a text", () => {
    const folders = [
      ...readBundledPackages(join(root, "dist")),
      ...readBundledPackages(join(root, "dist/web")),
    ];
    expect(folders.length).toBeGreaterThan(100);
    const sections = notices.split(`\n\n${"-".repeat(80)}\n\n`).slice(1);
    const headings = sections.flatMap((section) => section.split("\n\n")[0]?.split("\n") ?? []);
    expect(headings).toHaveLength(sbom.components.length);
    for (const section of sections)
      expect(section.split("\n\n").slice(1).join("").length).toBeGreaterThan(100);
    for (const folder of folders) {
      const { name, version } = JSON.parse(read(`${folder}/package.json`)) as Record<string, string>;
      const found = sbom.components.find(
        ({ purl }) => purl === `pkg:npm/${name?.replace("@", "%40")}@${version}`,
      );
      expect(found, `${name} ${version}`).toBeDefined();
      expect(
        headings.some((heading) => heading.startsWith(`${name} ${version}: `)),
        `${name}`,
      ).toBe(true);
    }
  });

  it("names every package that the product's sources import", () => {
    const sources = globSync("{src,packages,channels,web}/**/*.ts", {
      cwd: root,
      exclude: (path) => /node_modules|\/testing$|\.test\.ts$|\.config\.ts$/.test(path),
    });
    const imported = sources.flatMap((file) => {
      const text = read(file);
      const still = text.matchAll(/^(?:import|export)(?! type)[^;"]*?from "([^".@][^"]*|@[^"]*)";$/gm);
      const later = text.matchAll(/\bimport\("([^".][^"]*)"\)/g);
      return [...still, ...later].map(([, name = ""]) => name);
    });
    const names = imported
      .filter((name) => !/^(?:node:|@pincer\/|@\/)/.test(name))
      .map((name) =>
        name
          .split("/")
          .slice(0, name.startsWith("@") ? 2 : 1)
          .join("/"),
      );
    expect(new Set(names).size).toBeGreaterThan(15);
    expect([...new Set(names)].filter((name) => !listed.includes(name))).toEqual([]);
  });
});
