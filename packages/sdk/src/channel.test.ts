import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { defineChannel } from "./channel.ts";
import { createRecordingHost } from "./testing/recording-channel-host.ts";

describe("defineChannel", () => {
  it("PLUG-06 makes a connector of its parts, with the config in the shape of its schema", async () => {
    const channel = defineChannel({
      id: "pigeon",
      config: Type.Object({ loft: Type.String() }),
      traits: { textLimit: 140, idempotentSend: false },
      async connect({ loft }, host) {
        host.log.info(loft.toUpperCase());
        return { send: async () => ({ messageId: "1" }), close: async () => undefined };
      },
    });
    const host = createRecordingHost();
    const connection = await channel.connect({ loft: "roof" }, host);
    expect(channel).toMatchObject({ id: "pigeon", traits: { textLimit: 140 } });
    expect(host.logged).toEqual(["ROOF"]);
    expect(connection.edit).toBeUndefined();
  });
});
