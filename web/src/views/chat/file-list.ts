/** The files of a message or of a result: pictures are shown, everything else can be downloaded. */
import type { MessageFile } from "@pincer/sdk";
import { html, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import type { RowActs } from "./row-acts.ts";

const shownPicture = /^image\/(?:png|jpeg|gif|webp|avif)$/;

export function fileList(
  files: readonly MessageFile[],
  seq: number,
  { page, sessionId }: Pick<RowActs, "page" | "sessionId">,
): TemplateResult {
  const { say } = page;
  const address = ({ media }: MessageFile) =>
    `/api/media/${encodeURIComponent(media)}?session=${encodeURIComponent(sessionId)}&seq=${seq}`;
  return html`
    <ul class="chat-files" aria-label=${say("chat.attached")}>
      ${files.map((file) => {
        const name = file.name ?? file.mimeType;
        return html`
          <li>
            ${
              shownPicture.test(file.mimeType)
                ? html`<a href=${address(file)} target="_blank" rel="noopener"
                    ><img loading="lazy" src=${address(file)} alt=${say("chat.picture", { name })}
                  /></a>`
                : html`<a
                    class="button"
                    href="${address(file)}&download"
                    download=${name}
                    aria-label=${say("chat.download", { name })}
                    >${icon("download")} <span class="clip">${name}</span></a
                  >`
            }
          </li>
        `;
      })}
    </ul>
  `;
}
