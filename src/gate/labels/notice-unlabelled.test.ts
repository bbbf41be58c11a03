import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { noticeUnlabelled } from "./notice-unlabelled.ts";
import { createLabelStage, type LabelStage } from "./testing/label-stage.ts";

let stage: LabelStage;
beforeEach(async () => {
  stage = await createLabelStage();
});
afterEach(() => stage.remove());

const look = (history: "known" | "unrecorded" = "unrecorded") =>
  noticeUnlabelled({
    stores: { notices: stage.stores.notices, gate: { historyAt: async () => history } },
    places: stage.labels().places,
    workdirs: [stage.workdir, join(stage.base, "nowhere")],
  });
const told = async () =>
  (await stage.stores.notices.list({ limit: 9, all: true })).map(({ text }) => text.parameters["workdir"]);

it("says once that nobody knows who wrote the files of a home from before", async () => {
  await stage.put("notes.md", "x");
  await look();
  await look();
  expect(await told()).toEqual([stage.workdir]);
  await stage.stores.notices.dismiss(`unlabelled:${stage.workdir}`);
  await look();
  expect(await told()).toEqual([stage.workdir]);
});

it("says nothing in a new home, nor where there is only what Pincer put there", async () => {
  await mkdir(join(stage.workdir, "memory"));
  await stage.put("MEMORY.md", "x");
  await look();
  await stage.put("notes.md", "x");
  await look("known");
  expect(await told()).toEqual([]);
});
