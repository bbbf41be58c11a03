import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestHome, findingsOf, type TestHome } from "../testing/test-home.ts";
import { checkModel } from "./model.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());

it("is content with no model and with the one that there is", async () => {
  expect(await findingsOf(checkModel(home.examined))).toMatchObject([expect.stringMatching(/^ok /)]);
  await home.write("config.json5", "{ agents: { defaults: { model: { primary: 'stub' } } } }");
  expect(await findingsOf(checkModel(home.examined))).toMatchObject([expect.stringMatching(/^ok /)]);
});

it("warns of every model that cannot be reached, and says how to do without it", async () => {
  await home.write(
    "config.json5",
    `{ agents: { defaults: { model: { primary: "mock/one" } }, list: [{ id: "main" }, { id: "other", model: "mock/two" }] } }`,
  );
  const findings = await checkModel(home.examined).check();
  expect(findings).toMatchObject([
    { level: "warning", message: expect.stringContaining("names mock/one") },
    { level: "warning", place: { key: expect.stringMatching(/^agents\.list\[1\]\.model/) } },
  ]);
  expect(findings[0]?.next).toContain("`pincer config unset agents.defaults.model.primary`");
});
