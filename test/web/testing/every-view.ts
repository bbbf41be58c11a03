/**
 * Every view of the page as people meet it: on a desktop and on a phone, in both languages and both themes, with something
 * to show. No barrier that axe calls serious, nothing on the console, no word without a translation, and nothing wider
 * than the screen. With PINCER_WRITE_SCREENSHOTS the pictures of the docs are made anew.
 */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fillHome } from "../../../bench/fill-home.ts";
import { hasBrowser } from "../../browser.ts";
import { createStage, expectNoFaults, findBarriers, type OpenOptions, type Stage } from "../stage.ts";

const views = [
  "chat",
  "sessions",
  "approvals",
  "channels",
  "models",
  "usage",
  "runs",
  "config",
  "health",
  "access",
  "welcome",
] as const;
type Look = Required<Pick<OpenOptions, "size" | "language" | "theme">>;

/** The two that differ in everything; both are looked at in every run. */
export const usualLooks: readonly Look[] = [
  { size: "phone", language: "zh", theme: "dark" },
  { size: "desktop", language: "en", theme: "light" },
];
export const otherLooks: readonly Look[] = (["desktop", "phone"] as const)
  .flatMap((size) =>
    (["en", "zh"] as const).flatMap((language) =>
      (["light", "dark"] as const).map((theme) => ({ size, language, theme })),
    ),
  )
  .filter((look) => !usualLooks.some((usual) => nameOf(usual) === nameOf(look)));

function nameOf({ size, language, theme }: Look): string {
  return `${size} ${language} ${theme}`;
}

const pictures = process.env["PINCER_WRITE_SCREENSHOTS"];
const pictureFolder = fileURLToPath(new URL("../../../docs/images/", import.meta.url));

const plan = `Three things, then it is ready:

1. **Read the notes** of Tuesday and pick the two figures that matter
2. Write the summary, half a page
3. Rehearse once

| day | what | who |
| --- | --- | --- |
| Wed | notes | you |
| Thu | summary | me |
| Fri | demo | both |

\`\`\`sh
git pull && npm test
\`\`\`

Shall I begin with the notes?`;

/** A conversation with a tool call in it, one question that waits for its owner, and a few more. */
async function furnish(stage: Stage): Promise<void> {
  stage.answerWith(({ text, results }) => {
    if (results.length > 0 || text.includes("spring")) return { text: plan };
    if (text.includes("tests"))
      return { call: { name: "exec", arguments: { command: "cd ~/demo && npm test -- --reporter dot" } } };
    return { call: { name: "time_now", arguments: {} } };
  });
  await stage.home.run(["ask", "The demo is on Friday. What is left to do until then?"]);
  await stage.home.run(["ask", "--session", "travel", "Where to in spring?"]);
  // Nobody is there to say yes: it waits.
  const stop = new AbortController();
  const asked = stage.home.run(["ask", "--session", "work", "Run the tests of the demo"], {
    signal: stop.signal,
  });
  await vi.waitFor(async () => {
    const { out } = await stage.home.run(["approvals", "list", "--json"]);
    expect((JSON.parse(out) as { approvals: unknown[] }).approvals).toHaveLength(1);
  }, 30_000);
  stop.abort();
  await asked;
}

/** Pictures of the docs: those views that show nothing of the machine, and the conversation on a phone. */
const pictured: readonly string[] = ["chat", "usage", "channels", "config"];
const pictureOf = (view: string, look: Look): string | undefined => {
  if (nameOf(look) === "desktop en light" && pictured.includes(view)) return `page-${view}.png`;
  return view === "chat" && nameOf(look) === "phone zh dark" ? "page-chat-phone.png" : undefined;
};

export function describeEveryView(looks: readonly Look[]): void {
  describe.skipIf(!hasBrowser)("every view of the page", () => {
    let stage: Stage;

    beforeAll(async () => {
      stage = await createStage({
        config: {
          tools: { modes: { exec: "approval-required" } },
          budgets: { day: { cost: 2 }, month: { cost: 40 } },
          channels: { telegram: { enabled: false, botToken: "123456:not-a-real-token" } },
        },
        prepare: ({ path }) => fillHome(path, { sessions: 60, calls: 900 }),
      });
      await furnish(stage);
    }, 120_000);

    afterAll(() => stage?.close());

    it.each(looks)(
      "UI-01 is fit for people: $size $language $theme",
      async (look) => {
        const opened = await stage.open(look);
        const { page } = opened;
        const base = page.url().replace(/#.*$/, "");
        for (const view of views) {
          await page.goto(`${base}#/${view}`);
          await page.locator(`view-${view} h1`).first().waitFor({ state: "attached" });
          await page.locator(`view-${view} [aria-busy="true"]`).waitFor({ state: "detached" });
          const words = await page.locator("body").innerText();
          expect
            .soft(words, `${view}: a text without its words`)
            .not.toMatch(/\{[a-zA-Z][a-zA-Z0-9]*\}|\bundefined\b|\[object /);
          const wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
          expect.soft(wide, `${view}: wider than the screen`).toBeLessThanOrEqual(0);
          expect.soft(await findBarriers(page), `${view}: barriers`).toEqual([]);
          const picture = pictureOf(view, look);
          if (pictures && picture) await page.screenshot({ path: `${pictureFolder}${picture}` });
        }
        expectNoFaults(opened);
        await opened.close();
      },
      180_000,
    );
  });
}
