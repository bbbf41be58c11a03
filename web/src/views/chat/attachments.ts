/** The files of the next message: each is uploaded as soon as it is added, and can be removed or retried. */
import { uploadFile, type Uploaded } from "./upload.ts";

export interface Attached {
  id: number;
  file: File;
  /** Of a picture, for looking at. */
  preview: string;
  share: number;
  uploaded?: Uploaded;
  problem?: string;
}

export interface Attachments {
  list(): readonly Attached[];
  /** Takes as many as a message takes; false where some were too many. */
  add(files: Iterable<File>): boolean;
  remove(id: number): void;
  /** Of one that did not arrive. */
  again(id: number): void;
  /** What was attached was meant for another message. */
  clear(): void;
  /** For good: what is on its way is given up. */
  close(): void;
}

export interface AttachmentsParts {
  /** What is said of a file that did not arrive. */
  broken(): string;
  onChange(): void;
}

/** As many as a message takes. */
export const mostFiles = 20;
const previewed = /^image\/(?:png|jpeg|gif|webp|avif)$/;

export function createAttachments({ broken, onChange }: AttachmentsParts): Attachments {
  const gone = new AbortController();
  let attached: readonly Attached[] = [];
  let nextId = 1;

  function become(next: readonly Attached[]): void {
    attached = next;
    onChange();
  }

  async function upload({ id, file }: Attached): Promise<void> {
    const change = (how: Partial<Attached>) =>
      become(attached.map((each) => (each.id === id ? { ...each, ...how } : each)));
    try {
      const uploaded = await uploadFile(file, {
        signal: gone.signal,
        onProgress: (share) => change({ share }),
        broken: broken(),
      });
      change({ uploaded, share: 1 });
    } catch (error) {
      change({ problem: error instanceof Error ? error.message : String(error) });
    }
  }

  const forgetPreview = ({ preview }: Attached) => {
    if (preview !== "") URL.revokeObjectURL(preview);
  };

  function clear(): void {
    for (const each of attached) forgetPreview(each);
    become([]);
  }

  return {
    list: () => attached,
    add(files) {
      const fresh = [...files].map((file): Attached => ({
        id: nextId++,
        file,
        preview: previewed.test(file.type) ? URL.createObjectURL(file) : "",
        share: 0,
      }));
      const taken = fresh.slice(0, mostFiles - attached.length);
      become([...attached, ...taken]);
      for (const each of taken) void upload(each);
      return taken.length === fresh.length;
    },
    remove(id) {
      const found = attached.find((each) => each.id === id);
      if (found) forgetPreview(found);
      become(attached.filter((each) => each.id !== id));
    },
    again(id) {
      become(
        attached.map((each) => {
          if (each.id !== id) return each;
          const { problem: _, ...rest } = each;
          return { ...rest, share: 0 };
        }),
      );
      const found = attached.find((each) => each.id === id);
      if (found) void upload(found);
    },
    clear,
    close() {
      gone.abort();
      for (const each of attached) forgetPreview(each);
    },
  };
}
