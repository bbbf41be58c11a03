/** What a browser must load before it shows the first view. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const dist = fileURLToPath(new URL("../../dist/web/", import.meta.url));

interface BuiltFile {
  file: string;
  css?: string[];
  imports?: string[];
}

describe("the built page", () => {
  it("UI-01 shows the conversation after less than 150 kB", () => {
    const manifest = JSON.parse(readFileSync(join(dist, ".vite", "manifest.json"), "utf8")) as Record<
      string,
      BuiltFile
    >;
    const needed = new Set<string>(["index.html"]);
    const take = (name: string): void => {
      const { file, css = [], imports = [] } = manifest[name] ?? { file: "" };
      if (file === "" || needed.has(file)) return;
      for (const each of [file, ...css]) needed.add(each);
      imports.forEach(take);
    };
    take("index.html");
    take("src/views/chat/chat-view.ts");
    const bytes = [...needed].map((file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length);
    expect(needed.size).toBeGreaterThan(3);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(150_000);
  });

  it("holds the libraries in the form for people, whatever environment it was built in", () => {
    const scripts = readdirSync(join(dist, "assets")).filter((name) => name.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(3);
    expect(
      scripts.filter((name) => readFileSync(join(dist, "assets", name), "utf8").includes("lit.dev/msg")),
    ).toEqual([]);
  });

  it("names everything by its own address: nothing is inline, and nothing comes from elsewhere", () => {
    const page = readFileSync(join(dist, "index.html"), "utf8");
    expect(page).not.toMatch(/<style|style=|onload=|https?:/);
    expect(page.match(/<script[^>]*>[^<]/)).toBeNull();
    expect(existsSync(join(dist, "index.html.br"))).toBe(true);
  });
});
