import { Type, type Static } from "typebox";

export const webhookConfig = Type.Object({
  secret: Type.String({ minLength: 24, description: "What both sides sign with, as secret:NAME." }),
  port: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, description: "Port where messages come in, on 127.0.0.1." }),
  ),
  url: Type.Optional(
    Type.String({ pattern: "^https?://\\S+$", description: "Where answers are posted to." }),
  ),
  edits: Type.Boolean({ default: false, description: "Whether the other side can change what it showed." }),
});

export type WebhookConfig = Static<typeof webhookConfig>;
