/** Reads the files of a workdir that steer an agent, in the version that counts; any other is left out, with the reason. */
import { decodeText, type FileText, type WorkdirFiles } from "../../sandbox/workdir-files.ts";
import type { AcceptedFiles, Refusal } from "../../gate/labels/accepted-files.ts";

export type SteeringFiles = Pick<WorkdirFiles, "root" | "read" | "version" | "changedAt">;

/** The beginning of a text, as `read` of a workdir. Throws if this version does not count. */
export function readAccepted(
  files: SteeringFiles,
  accepted: Pick<AcceptedFiles, "judge"> | undefined,
  agentId: string,
): WorkdirFiles["read"] {
  if (!accepted) return files.read;
  return async (path, maxBytes): Promise<FileText> => {
    const { bytes, version } = await files.version(path);
    // A directory says so itself.
    if (!bytes) return refuseLarge(version.name) ?? files.read(path, maxBytes);
    const text = decodeText(bytes, path);
    const changedAt = await files.changedAt(path);
    const refusal = await accepted.judge({ agentId, workdir: files.root, version, changedAt, text });
    if (refusal !== undefined) throw new Error(reasons[refusal]);
    const cut = bytes.length > maxBytes;
    return {
      text: cut ? decodeText(bytes.subarray(0, maxBytes), path) : text,
      size: bytes.length,
      truncated: cut,
    };
  };
}

function refuseLarge(name: string): undefined {
  if (!name.endsWith("/")) throw new Error(reasons.large);
}

/** For people, like the other reasons why something is left out. */
const reasons: Record<Refusal, string> = {
  new: "the owner has not accepted it; see pincer policy accept",
  changed: "it is not the version that the owner accepted; see pincer policy accept",
  large: "is too large",
};
