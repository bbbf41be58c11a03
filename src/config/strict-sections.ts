/**
 * What a bad value costs. Most of it is the whole file: another default might allow more than was written. These
 * sections are left out alone, for without them Pincer does less, or the same.
 */
import { isTable, readPath, withPath, type ConfigPath } from "@pincer/sdk";

const strictAlone: ConfigPath[] = [
  ["language"],
  ["notify"],
  ["contacts"],
  ["commands"],
  ["logging"],
  ["telemetry"],
  ["plugins"],
  ["hooks", "*"],
  ["channels", "*"],
  ["session", "reset", "mode"],
  ["session", "reset", "atHour"],
  ["session", "reset", "idleMinutes"],
  ["session", "identityLinks"],
  ["gateway", "tailscale"],
  ["gateway", "discovery"],
  ["gateway", "openMetrics"],
  ["gateway", "allowedHosts"],
  ["gateway", "allowedOrigins"],
];

/** The section that a bad value at this place costs; undefined: the whole file. Pure. */
export function sectionAround(path: ConfigPath): ConfigPath | undefined {
  const section = strictAlone.find(
    (each) =>
      each.length <= path.length &&
      each.every((segment, index) => segment === "*" || segment === path[index]),
  );
  return section && path.slice(0, section.length);
}

/** The config without it. A channel stays, switched off: a variable or a profile may name it again. Pure. */
export function leaveOut(value: unknown, section: ConfigPath): unknown {
  if (section[0] !== "channels") return withPath(value, section, undefined);
  const left = withPath(value, section, { enabled: false });
  const profiles = readPath(left, ["profiles"]);
  return Object.entries(isTable(profiles) ? profiles : {}).reduce<unknown>(
    (all, [name, profile]) =>
      isTable(readPath(profile, section))
        ? withPath(all, ["profiles", name, ...section, "enabled"], false)
        : all,
    left,
  );
}
