/** What stands above the box about the message in it. */
import type { MessageFile } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import type { Say } from "../../texts/texts.ts";

export interface ComposerNotes {
  say: Say;
  isEditing: boolean;
  /** Of the message that is being edited. */
  keptFiles: readonly MessageFile[];
  isEnded: boolean;
  isPastedCommand: boolean;
  cancelEdit(): void;
}

export function composerNotes(notes: ComposerNotes): TemplateResult {
  const { say, isEditing, isEnded, isPastedCommand } = notes;
  const note = (text: string) => html`<p class="composer-note small">${text}</p>`;
  return html`
    ${isEditing ? editNote(notes) : nothing} ${isEnded ? note(say("chat.ended")) : nothing}
    ${isPastedCommand ? note(say("chat.pasted.command")) : nothing}
  `;
}

const editNote = ({ say, keptFiles, cancelEdit }: ComposerNotes): TemplateResult => html`
  <div class="composer-note small">
    <span>
      ${say("chat.edit.note")}
      ${keptFiles.length === 0 ? nothing : say("chat.edit.files", { names: namesOf(keptFiles) })}
    </span>
    <button type="button" class="quiet" @click=${cancelEdit}>${say("chat.edit.cancel")}</button>
  </div>
`;

const namesOf = (files: readonly MessageFile[]): string =>
  files.map(({ name, mimeType }) => name ?? mimeType).join(", ");
