/** Buttons. A button carries its text if that fits into Telegram's 64 bytes; otherwise the text is stored here. */
import type { MessageAction } from "@pincer/sdk";
import type { ReadingPlace } from "./reading-place.ts";

interface Keyboard {
  inline_keyboard: Array<Array<{ text: string; callback_data: string }>>;
}

const mostDataBytes = 64;
const mostButtons = 100;
const longestLabel = 64;

export async function keyboardOf(
  actions: readonly MessageAction[] | undefined,
  place: Pick<ReadingPlace, "nameOf">,
): Promise<Keyboard | undefined> {
  if (!actions || actions.length === 0) return undefined;
  const buttons = [];
  for (const { label, send } of actions.slice(0, mostButtons)) {
    const text = [...label.toWellFormed()].slice(0, longestLabel).join("").trim() || "…";
    const data = await dataOf(send.toWellFormed(), place);
    if (data !== undefined) buttons.push({ text, callback_data: data });
  }
  return buttons.length === 0 ? undefined : { inline_keyboard: rowsOf(buttons) };
}

/** Undefined where its text cannot be stored: the message says the same in words, and must not wait for a button. */
async function dataOf(send: string, place: Pick<ReadingPlace, "nameOf">): Promise<string | undefined> {
  const plain = `=${send}`;
  if (Buffer.byteLength(plain) <= mostDataBytes) return plain;
  return place.nameOf(send).then(
    (name) => `#${name}`,
    () => undefined,
  );
}

/**
 * The text of the button; undefined if it is no longer known. The person could have typed it, so forging one gains
 * nothing.
 */
export function pressedText(
  data: string | undefined,
  place: Pick<ReadingPlace, "textOf">,
): string | undefined {
  if (data?.startsWith("=")) return data.slice(1) || undefined;
  return data?.startsWith("#") ? place.textOf(data.slice(1)) : undefined;
}

/** Short ones side by side, as a phone shows them. */
function rowsOf<Button extends { text: string }>(buttons: Button[]): Button[][] {
  const rows: Button[][] = [];
  for (const button of buttons) {
    const row = rows.at(-1);
    const width = row?.reduce((sum, { text }) => sum + text.length, 0) ?? Number.POSITIVE_INFINITY;
    if (row && row.length < 3 && width + button.text.length <= 28) row.push(button);
    else rows.push([button]);
  }
  return rows;
}
