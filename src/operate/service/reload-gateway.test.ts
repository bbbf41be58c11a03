import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import type { GatewayClient } from "../../client/gateway-client.ts";
import { failure } from "../../infra/failure.ts";
import { reloadGateway } from "./reload-gateway.ts";

const parts = { environment: { PINCER_LANG: "zh" }, version: "test" };

function fakeClient(answer: () => Promise<unknown>) {
  const asked: unknown[] = [];
  let isOpen = true;
  const client = {
    about: { language: "auto" },
    request: (...request: unknown[]) => {
      asked.push(request.slice(0, 2));
      return answer();
    },
    close: () => void (isOpen = false),
  } as unknown as GatewayClient;
  return { connect: async () => client, asked, isOpen: () => isOpen };
}

it("waits until the gateway has taken the config up, and asks for words in our language", async () => {
  const gateway = fakeClient(async () => ({ inForce: true, problems: [] }));
  expect(await reloadGateway(parts, gateway)).toEqual({ type: "in-force" });
  expect(gateway.asked).toEqual([["gateway.reload", { language: "zh" }]]);
  expect(gateway.isOpen()).toBe(false);
  const refusing = fakeClient(async () => ({ inForce: false, problems: ["no"] }));
  expect(await reloadGateway(parts, refusing)).toEqual({ type: "refused", problems: ["no"] });
});

it("does nothing without a gateway, and never fails the command that has written the config", async () => {
  expect(await reloadGateway(parts, { connect: async () => undefined })).toEqual({ type: "not-running" });
  const gone = fakeClient(() => Promise.reject(failure("gateway/stopped", "gateway.stopped")));
  expect(await reloadGateway(parts, gone)).toEqual({ type: "no-answer" });
});

it("does not wait longer than five seconds", async () => {
  const clock = createHandClock();
  const reloading = reloadGateway(parts, { ...fakeClient(() => new Promise(() => {})), clock });
  await clock.advance(5000);
  expect(await reloading).toEqual({ type: "no-answer" });
});
