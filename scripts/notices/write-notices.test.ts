import { expect, it } from "vitest";
import { makeSbom, renderNotices } from "./write-notices.ts";

const packages = [
  { name: "@scope/a", version: "1.0.0", licence: "MIT", text: "shared" },
  { name: "b", version: "2.0.0", licence: "(MPL-2.0 OR Apache-2.0)", text: "own" },
  { name: "c", version: "3.0.0", licence: "MIT", text: "shared" },
];

it("names every package before its text, and says a text that several share once", () => {
  const line = "-".repeat(80);
  expect(renderNotices(packages)).toBe(
    [
      "This product contains 3 packages by others, under the licences below.",
      line,
      "@scope/a 1.0.0: MIT\nc 3.0.0: MIT\n\nshared",
      line,
      "b 2.0.0: (MPL-2.0 OR Apache-2.0)\n\nown\n",
    ].join("\n\n"),
  );
});

it("lists every package as a component that others can look up", () => {
  expect(makeSbom({ name: "pincer", version: "9.0.0", license: "MIT" }, packages)).toEqual({
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": "pkg:npm/pincer@9.0.0",
        name: "pincer",
        version: "9.0.0",
        licenses: [{ license: { id: "MIT" } }],
        purl: "pkg:npm/pincer@9.0.0",
      },
    },
    components: [
      {
        type: "library",
        "bom-ref": "pkg:npm/%40scope/a@1.0.0",
        group: "@scope",
        name: "a",
        version: "1.0.0",
        licenses: [{ license: { id: "MIT" } }],
        purl: "pkg:npm/%40scope/a@1.0.0",
      },
      {
        type: "library",
        "bom-ref": "pkg:npm/b@2.0.0",
        name: "b",
        version: "2.0.0",
        licenses: [{ expression: "(MPL-2.0 OR Apache-2.0)" }],
        purl: "pkg:npm/b@2.0.0",
      },
      {
        type: "library",
        "bom-ref": "pkg:npm/c@3.0.0",
        name: "c",
        version: "3.0.0",
        licenses: [{ license: { id: "MIT" } }],
        purl: "pkg:npm/c@3.0.0",
      },
    ],
  });
});
