import { expect, it } from "vitest";
import { createApiStage } from "../../app/testing/api-stage.ts";

it("says that nothing has been said yet, and what begins the main session", async () => {
  const { apis } = await createApiStage("over the stores");
  for (const session of [{}, { sessionKey: "main" }, { sessionKey: "agent:main:main" }])
    await expect(apis.tape.info(session)).rejects.toMatchObject({
      code: "session/not-found",
      message: "Nothing has been said in agent:main:main yet.",
      hint: expect.stringContaining("pincer chat"),
    });
  await expect(apis.sessions.find({ sessionKey: "main" })).rejects.toMatchObject({
    message: expect.stringContaining("Nothing has been said"),
  });
  await expect(apis.tape.info({ sessionKey: "work" })).rejects.toMatchObject({
    message: "There is no session work.",
    hint: expect.stringContaining("sessions list"),
  });
});
