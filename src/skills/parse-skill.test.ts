import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSkill } from "./parse-skill.ts";

const parse = (text: string) => parseSkill(text, "folder");

describe("what a skill says of itself", () => {
  it("SKILL-05 is its name and description, not its body", async () => {
    const text = "---\nname: brew\ndescription: >-\n  Makes tea\n  and coffee.\n---\n# Brew\n\nBoil water.";
    expect(await parse(text)).toEqual({ name: "brew", description: "Makes tea and coffee." });
  });

  it.each([
    ["the first paragraph", "# Brew\n\nMakes tea\nand coffee.\n\nBoil water.", "Makes tea and coffee."],
    ["a paragraph right below its heading", "# Brew\nMakes tea.\n## Steps\nBoil.", "Makes tea."],
    ["the heading where there is no more", "\n## Makes tea\n", "Makes tea"],
    ["the first paragraph below a front matter that says nothing", "---\n---\nMakes tea.", "Makes tea."],
  ])("without front matter to tell it is %s, under the folder's name", async (_, text, description) => {
    expect(await parse(text)).toEqual({ name: "folder", description });
  });

  it("is read as words: no numbers, no booleans, no lists", async () => {
    const text = "---\nname: 404\ndescription: yes\n---\n";
    expect(await parse(text)).toEqual({ name: "404", description: "yes" });
    expect(await parse("---\nname: [a, b]\ndescription: x\n---\n")).toMatchObject({ name: "folder" });
  });

  it("may have line ends of any kind", async () => {
    const text = "---\r\nname: brew\r\ndescription: Makes tea.\r\n---\r\nBoil.";
    expect(await parse(text)).toEqual({ name: "brew", description: "Makes tea." });
  });

  it.each([
    ["no end", "---\nname: brew\n", "its front matter has no end"],
    ["no YAML", "---\nname: 'brew\n---\nMakes tea.", "its front matter is no YAML"],
    ["nothing with names", "---\n- brew\n---\nMakes tea.", "its front matter has no names and values"],
    ["no words at all", "---\nname: brew\n---\n", "it does not say what it is for"],
  ])("cannot be used when there is %s", async (_, text, reason) => {
    expect(await parse(text)).toEqual({ reason: expect.stringContaining(reason) });
  });

  it("never throws, and is one line of bounded length", async () => {
    const piece = fc.constantFrom(..."---|\n|name: |description: |# |&a |*a|{|'|\0|😀".split("|"));
    const text = fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }).map((pieces) => pieces.join(""));
    await fc.assert(
      fc.asyncProperty(text, text, async (server, body) => {
        const skill = await parse(`---\n${server}\n---\n${body}`);
        if ("reason" in skill) return;
        expect(`${skill.name} ${skill.description}`).not.toMatch(/[\n\r\0]/);
        expect(skill.name.length).toBeLessThanOrEqual(64);
        expect(skill.description.length).toBeLessThanOrEqual(300);
      }),
    );
  });

  it("is cut at 300 characters, never within one", async () => {
    const skill = await parse(`${"a".repeat(298)}😀😀`);
    expect(skill).toEqual({ name: "folder", description: `${"a".repeat(298)}…` });
  });
});
