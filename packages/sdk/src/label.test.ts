import { array, assert, boolean, constantFrom, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { clean, isLabelWithin, joinLabels, labelOfOrigin, type Label } from "./label.ts";
import { origins } from "./provenance.ts";

const source = constantFrom("memory", "user", "workdir", "file:a.md", "file:b.md", "session:x", "tool:mail");
const label = record({ untrusted: boolean(), sources: array(source, { maxLength: 4 }) }).map((each) =>
  joinLabels([each]),
);
const join = (...labels: Label[]) => joinLabels(labels);

describe("a label", () => {
  it("only grows when texts are put together, in whatever order", () => {
    assert(
      property(label, label, label, (a, b, c) => {
        expect(join(join(a, b), c)).toEqual(join(a, join(b, c)));
        expect(join(a, b)).toEqual(join(b, a));
        expect(join(a, a)).toEqual(a);
        expect(join(a, clean)).toEqual(a);
        expect(isLabelWithin(a, join(a, b))).toBe(true);
        expect(isLabelWithin(a, b)).toBe(JSON.stringify(join(a, b)) === JSON.stringify(b));
      }),
    );
  });

  it("is untrusted for every origin but the owner and the product, and for what is unknown", () => {
    const trusted = [...origins, undefined].filter((origin) => !labelOfOrigin(origin, "x").untrusted);
    expect(trusted).toEqual(["owner", "system"]);
  });

  it("names the private source, and the whole workdir where the file is unknown", () => {
    expect(labelOfOrigin("file", "notes.md").sources).toEqual(["file:notes.md"]);
    expect(labelOfOrigin("file").sources).toEqual(["workdir"]);
    expect(labelOfOrigin("program", "make").sources).toEqual(["workdir"]);
    expect(labelOfOrigin("web", "example.org").sources).toEqual([]);
  });
});
