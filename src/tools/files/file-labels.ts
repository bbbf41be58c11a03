/** Labels of files, as the tools need them that read and write files. */
import type { Label, ToolCallContext } from "@pincer/sdk";
import type { AboutToWrite } from "../../sandbox/change-files.ts";
import type { FileVersion } from "../../sandbox/file-version.ts";

export interface FileLabels {
  /** Of all of it together; undefined where no labels are stored. Never throws: what cannot be looked up is unknown. */
  of(seen: readonly FileVersion[]): Promise<Label | undefined>;
  /** For one call that writes files. */
  writing(call: Pick<ToolCallContext, "contextLabel" | "place" | "confirmed">): Writing;
}

export interface Writing {
  /**
   * Stores the label of what is about to be written: that of the context, and of what the new content is made of. A crash before
   * or after the write leaves a file that is labelled. Throws what the storage does: then nothing may be written.
   */
  before(about: AboutToWrite): Promise<void>;
  /** When all of it is written; `removed` are the real paths of files that are gone. */
  done(removed?: readonly string[]): Promise<void>;
}

/** Where nothing is stored: for listing tools, and for tests. */
export const noFileLabels: FileLabels = {
  of: async () => undefined,
  writing: () => ({ before: async () => {}, done: async () => {} }),
};
