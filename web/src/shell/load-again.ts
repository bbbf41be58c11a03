/**
 * A part of the page that failed to load is asked for once more, by another address: browsers remember for as long as the page is open that
 * an address has failed. What the part itself needs is loaded as usual.
 */

let tries = 0;

/** Whether it is there now. Never throws. */
export async function loadAgain(error: unknown, load: () => Promise<unknown>): Promise<boolean> {
  const { script, style } = failedAddress(error instanceof Error ? error.message : "");
  const mark = `?again=${++tries}`;
  try {
    if (style !== undefined) await addStyle(style + mark);
    if (script !== undefined) await import(/* @vite-ignore */ script + mark);
    else await load();
    return true;
  } catch {
    return false;
  }
}

/** Chromium and Firefox name the script; the build's own loader names the style. */
export function failedAddress(message: string): { script?: string; style?: string } {
  const style = /preload CSS for (\S+\.css)/.exec(message)?.[1];
  if (style !== undefined) return { style };
  const script = /https?:\/\/\S+\.js\b/.exec(message)?.[0];
  return script === undefined ? {} : { script };
}

function addStyle(address: string): Promise<void> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => reject(new Error(`not loaded: ${address}`)));
    document.head.append(link);
  });
}
