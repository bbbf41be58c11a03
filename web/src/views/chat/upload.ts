/** Uploads a file before the message that names it, and reports progress. */

export interface Uploaded {
  id: string;
  name: string;
  type: string;
  bytes: number;
}

/** Rejects with words for people, or when the signal aborts. `onProgress` is told a share between 0 and 1. */
export function uploadFile(
  file: File,
  { signal, onProgress, broken }: { signal: AbortSignal; onProgress(share: number): void; broken: string },
): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    // fetch does not tell how much of a body has gone.
    const request = new XMLHttpRequest();
    request.open("POST", `/api/media?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader("content-type", file.type === "" ? "application/octet-stream" : file.type);
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    request.addEventListener("load", () => {
      const answer = parsed(request.responseText);
      if (request.status === 200 && "id" in answer) resolve(answer);
      else reject(new Error(("error" in answer && answer.error?.message) || broken));
    });
    request.addEventListener("error", () => reject(new Error(broken)));
    request.addEventListener("abort", () => reject(new Error(broken)));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

function parsed(text: string): Uploaded | { error?: { message?: string } } {
  try {
    return JSON.parse(text) as Uploaded;
  } catch {
    return {};
  }
}
