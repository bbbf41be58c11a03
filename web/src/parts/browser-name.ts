/** A readable name for a browser's user agent: "Firefox · Linux". Any other text stays as it is. */
export function browserName(said: string): string {
  const browser = browsers.find(([, pattern]) => pattern.test(said))?.[0];
  const system = systems.find(([, pattern]) => pattern.test(said))?.[0];
  if (browser === undefined) return said;
  return system === undefined ? browser : `${browser} · ${system}`;
}

/** Many claim to be others: the more particular come first. */
const browsers: ReadonlyArray<readonly [string, RegExp]> = [
  ["Edge", /\bEdgA?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:HeadlessChrome|Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
];

const systems: ReadonlyArray<readonly [string, RegExp]> = [
  ["Android", /Android/],
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Windows", /Windows/],
  ["macOS", /Macintosh|Mac OS X/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux|X11/],
];
