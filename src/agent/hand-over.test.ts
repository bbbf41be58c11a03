import { textOf, wellFormedMessages, type AssistantMessage, type Message } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { asked, createTurnStage } from "./testing/turn-stage.ts";

/** Calls of `theirs` are the caller's to run. */
function stageWith(names: string[]) {
  const stage = createTurnStage([
    { text: "I look.", calls: names.map((name) => ({ name })) },
    { text: "never said" },
  ]);
  const ran: string[] = [];
  const { admit } = stage.parts.tools;
  stage.parts.tools.isHandedOver = ({ name }) => name === "theirs";
  stage.parts.tools.admit = async (call, signal) => {
    if (call.name === "theirs") return { type: "hand-over" };
    ran.push(call.name);
    return admit(call, signal);
  };
  return { ...stage, ran };
}

const callsOf = (message: Message | undefined) =>
  message?.role === "assistant" ? message.content.filter((block) => block.type === "toolCall") : [];

describe("a call of a tool of the caller", () => {
  it("ends the turn when ours of the same answer have run, and leaves every pair whole", async () => {
    const stage = stageWith(["theirs", "look"]);
    const conclusion = await stage.run([asked]);
    expect(conclusion).toMatchObject({
      type: "ended",
      ending: { type: "handed-over" },
      last: { content: [] },
    });
    expect(stage.ran).toEqual(["look"]);
    expect(stage.begun.size).toBe(1);
    expect(stage.model).toMatchObject({ requests: { length: 1 } });
    expect(wellFormedMessages([asked, ...stage.said]).repairs).toEqual([]);
    const told = stage.said.find(
      (message) => message.role === "toolResult" && message.toolCallId === callsOf(stage.said[0])[0]?.id,
    );
    expect(told && textOf(told)).toContain("Handed to the caller");
  });

  it("ends it alike after a crash, however much of it was stored", async () => {
    const whole = stageWith(["theirs", "look"]);
    await whole.run([asked]);
    for (let kept = 1; kept <= whole.said.length; kept++) {
      const stage = stageWith(["theirs", "look"]);
      const conclusion = await stage.run([asked, ...whole.said.slice(0, kept)]);
      expect(conclusion).toMatchObject({ ending: { type: "handed-over" } });
      expect(stage.model).toMatchObject({ requests: { length: 0 } });
    }
  });

  it("waits for the owner where ours have to, and then ends", async () => {
    const stage = stageWith(["theirs", "send"]);
    const { admit } = stage.parts.tools;
    stage.parts.tools.admit = async (call, signal) =>
      call.name === "send" ? { type: "pause", approvalId: "K7" } : admit(call, signal);
    expect(await stage.run([asked])).toEqual({ type: "parked", for: "approval" });
    stage.parts.tools.admit = admit;
    expect(await stage.run([asked, ...stage.said])).toMatchObject({ ending: { type: "handed-over" } });
  });

  it("guards the words beside it like those of any answer", async () => {
    const stage = stageWith(["theirs"]);
    stage.parts.guard = async (text) => text.toUpperCase();
    await stage.run([asked]);
    expect(textOf(stage.said[0] as AssistantMessage)).toBe("I LOOK.");
  });
});
