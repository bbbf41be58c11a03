/** Pictures that come with a request: only what is in the request itself. Nothing is fetched for a caller. */
import type { ImageBlock } from "@pincer/sdk";
import { badRequest } from "./openai-failure.ts";
import type { OpenAiApi } from "./openai-api.ts";

export type KeepPicture = OpenAiApi["keepPicture"];

const dataUrl = /^data:(image\/(?:png|jpeg|jpg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/;

/** Throws OpenAiFailure 400. */
export async function readPicture(url: unknown, param: string, keep: KeepPicture): Promise<ImageBlock> {
  if (typeof url !== "string" || !url.startsWith("data:")) throw badRequest("openai.image-address", param);
  const [, mimeType = "", base64 = ""] = dataUrl.exec(url) ?? [];
  const picture = base64 === "" ? undefined : await keep(Buffer.from(base64, "base64"), mimeType);
  if (!picture) throw badRequest("openai.image-type", param);
  return picture;
}
