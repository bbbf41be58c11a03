import { describe, expect, it } from "vitest";
import { renderTemplate } from "./render-template.ts";

const render = (template: string, body: unknown, headers: Record<string, unknown> = {}) =>
  renderTemplate(template, { body, text: typeof body === "string" ? body : JSON.stringify(body), headers });

describe("a template", () => {
  it("names what came by a number, and the same thing by the same number", () => {
    const { words, outside } = render("{{body.a.b}}, again {{ body.a.b }}, {{body.list.1}}", {
      a: { b: "x" },
      list: [1, { c: 2 }],
    });
    expect(words).toBe("⟦1⟧, again ⟦1⟧, ⟦2⟧");
    expect(outside).toBe('⟦1⟧ body.a.b:\nx\n⟦2⟧ body.list.1:\n{"c":2}');
  });

  it("without a piece of the call tells nothing of it", () => {
    expect(render("Look at the builds. {{now}} {{body.}}", { a: 1 })).toEqual({
      words: "Look at the builds. {{now}} {{body.}}",
      outside: "",
    });
  });

  it.each(["body.__proto__", "body.constructor.name", "body.a.length", "headers.toString", "body.missing.x"])(
    "finds nothing under %s",
    (path) => {
      expect(render(`{{${path}}}`, { a: "text" })).toEqual({ words: "⟦1⟧", outside: `⟦1⟧ ${path}:\n` });
    },
  );

  it.each([
    "authorization",
    "cookie",
    "x-pincer-signature",
    "x-hub-signature-256",
    "x-gitlab-token",
    "x-api-key",
    "x-my-secret",
  ])("does not tell the header %s", (name) => {
    expect(render(`{{headers.${name}}}`, "", { [name]: "shown" }).outside).not.toContain("shown");
  });

  it("is bounded, however much comes and however often it is asked for", () => {
    const long = "x".repeat(1_000_000);
    const names = Array.from({ length: 200 }, (_, index) => `{{body.k${index}}}`).join(" ");
    const body = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, long]));
    const { words, outside } = render(names, body);
    expect(outside.length).toBeLessThan(70_000);
    expect(words).toContain("⟦50⟧");
    expect(words).toContain("{{body.k50}}");
    expect(outside).toContain("(cut; 1000000 characters in all)");
  });

  it("does not break on what is too deep to be written", () => {
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(renderTemplate("{{body.a}}", { body: { a: deep }, text: "", headers: {} }).outside).toBe(
      "⟦1⟧ body.a:\n",
    );
  });
});
