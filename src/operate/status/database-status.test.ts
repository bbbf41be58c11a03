import { PincerError } from "@pincer/sdk";
import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { locateHome } from "../../config/home.ts";
import { createIds } from "../../infra/ids.ts";
import { createSay } from "../../infra/texts.ts";
import { createMemoryStores } from "../../storage/memory-stores.ts";
import { describeDatabase } from "./database-status.ts";
import type { OpenDatabase } from "../../storage/home/examine-home.ts";
import { openSessions } from "../../storage/home/open-sessions.ts";

const file = "/home/core.db";

function openWith(problems: PincerError[]): OpenDatabase {
  const clock = createHandClock();
  const ids = createIds(clock.now);
  const stores = createMemoryStores({ clock, ids });
  const tenant = stores.tenant("t_default");
  const home = locateHome({ PINCER_HOME: "/home" });
  return {
    type: "open",
    stores: { ...stores, health: async () => ({ ...(await stores.health("quick")), ok: false, problems }) },
    tenant,
    ...openSessions({ stores: tenant, home, clock, ids }),
  };
}

it("calls what is wrong by its own name: a busy database is not a damaged one", async () => {
  const { database } = await describeDatabase(
    file,
    openWith([
      new PincerError("storage/busy", "somebody is writing"),
      new PincerError("storage/corrupt", "a page is gone"),
    ]),
    createSay("en"),
  );
  expect(database).toMatchObject({
    state: "failed",
    code: "storage/busy",
    error: "somebody is writing; a page is gone",
  });
});
