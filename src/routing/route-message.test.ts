import { describe, expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { refuseSessionId, routeMessage } from "./route-message.ts";

const facts = {
  tenantId: "t_default",
  workspaceId: "w_default",
  defaultAgentId: "main",
  agentIds: ["helper"],
};

describe("routing a message", () => {
  it("goes to the main session of the default agent when nothing is said", () => {
    expect(routeMessage({}, facts)).toMatchObject({
      agentId: "main",
      sessionKey: "agent:main:main",
      rule: "default",
    });
  });

  it("goes to the agent that was asked for", () => {
    expect(routeMessage({ agentId: "helper" }, facts)).toMatchObject({
      sessionKey: "agent:helper:main",
      rule: "explicit-agent",
    });
  });

  it.each([
    ["work", "agent:main:named:work"],
    ["main", "agent:main:main"],
    ["agent:helper:telegram:direct:42", "agent:helper:telegram:dm:42"],
    ["tenant:t_default/workspace:w_default/agent:helper/group:discord:9", "agent:helper:discord:group:9"],
  ])("ROUTE-05 ROUTE-06 takes %s as %s", (sessionKey, canonical) => {
    expect(routeMessage({ sessionKey }, facts)).toMatchObject({
      sessionKey: canonical,
      rule: "explicit-key",
    });
  });

  it("puts a name into the agent that was asked for", () => {
    expect(routeMessage({ sessionKey: "work", agentId: "helper" }, facts).sessionKey).toBe(
      "agent:helper:named:work",
    );
  });

  it("refuses the id of a session, which would be the name of a new one", () => {
    const id = createIds().make("s");
    expect(() => refuseSessionId(id)).toThrow(`${id} is the id of a session, not its key`);
    expect(refuseSessionId("s_1")).toBeUndefined();
    expect(refuseSessionId(undefined)).toBeUndefined();
  });

  it("refuses what is no key, names an agent that is not there, or belongs to others", () => {
    expect(() => routeMessage({ sessionKey: "agent:" }, facts)).toThrow(/Not a session key/);
    expect(() => routeMessage({ sessionKey: "agent:ghost:main" }, facts)).toThrow(/There is no agent ghost/);
    expect(() => routeMessage({ agentId: "ghost" }, facts)).toThrow(/There is no agent ghost/);
    expect(() => routeMessage({ sessionKey: "tenant:x/workspace:w_default/agent:main/main" }, facts)).toThrow(
      /another tenant/,
    );
  });
});
