import { expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import type { TriedWay } from "./call/call-plan.ts";
import type { ModelFailure } from "./model-failure.ts";
import { describeFailures } from "./describe-failures.ts";

const { gaveUp } = describeFailures(createSay("en"));
const record = { provider: "mine", id: "m", baseUrl: "http://10.0.0.5/v1" } as TriedWay["record"];
const told = (code: ModelFailure["code"], id: string) =>
  gaveUp([{ record, credential: { id, provider: "mine" }, failure: { code, message: "Refused" } }]);

it("AUTH-11 names the credential that was refused, and none where there is none", () => {
  expect(told("auth", "mine:default")).toContain("The credential mine:default was rejected");
  expect(told("auth", "none")).toBe(
    "mine/m: Refused. It needs a credential, but there is none; `pincer auth login mine` stores one.",
  );
  expect(told("billing", "none")).not.toContain("behind none");
});
