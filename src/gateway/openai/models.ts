/** `GET /v1/models` and `GET /v1/models/<id>`; ids hold slashes. */
import type { AdmittedCall, HttpReply } from "../http/http-route.ts";
import { noSuchModel } from "./openai-failure.ts";
import type { OpenAiApi } from "./openai-api.ts";

export async function listModels(
  api: Pick<OpenAiApi, "models">,
  call: AdmittedCall,
  reply: HttpReply,
): Promise<void> {
  const models = await api.models(call.caller);
  reply.json(200, { object: "list", data: models.map(modelObject) });
}

export async function showModel(
  api: Pick<OpenAiApi, "models">,
  call: AdmittedCall,
  reply: HttpReply,
): Promise<void> {
  const id = call.parameters["*"] ?? "";
  const found = (await api.models(call.caller)).find((model) => model.id === id);
  if (!found) throw noSuchModel(id.slice(0, 256));
  reply.json(200, modelObject(found));
}

/** When it was made nobody here knows. */
const modelObject = ({ id, owner }: { id: string; owner: string }) => ({
  id,
  object: "model",
  created: 0,
  owned_by: owner,
});
