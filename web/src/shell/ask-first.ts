/** Asks for confirmation, in a dialog that Escape answers with no. */
import { html, render } from "lit";
import type { Say } from "../texts/texts.ts";
import type { ConfirmOptions } from "./page.ts";

export function askFirst(
  host: HTMLElement,
  question: string,
  options: ConfirmOptions,
  say: Say,
): Promise<boolean> {
  const isNoUsual = options.usual === "no";
  const place = document.createElement("div");
  host.append(place);
  return new Promise((resolve) => {
    let answer = false;
    const leave = (value: boolean) => {
      answer = value;
      place.querySelector("dialog")?.close();
    };
    const ended = () => {
      place.remove();
      resolve(answer);
    };
    render(
      html`
        <dialog role="alertdialog" aria-label=${question} @close=${ended}>
          <div class="dialog-body">
            <h2>${question}</h2>
            ${options.detail === undefined ? "" : html`<p class="soft break">${options.detail}</p>`}
            <div class="row">
              <button
                type="button"
                class=${options.danger ? "danger" : isNoUsual ? "" : "primary"}
                @click=${() => leave(true)}
              >
                ${options.yes ?? say("shell.confirm")}
              </button>
              <button
                type="button"
                class=${isNoUsual ? "primary" : ""}
                ?autofocus=${isNoUsual}
                @click=${() => leave(false)}
              >
                ${options.no ?? say("shell.cancel")}
              </button>
            </div>
          </div>
        </dialog>
      `,
      place,
    );
    place.querySelector("dialog")?.showModal();
  });
}
