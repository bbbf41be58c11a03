/** The config as it may be shown: every secret replaced by `***`, handles left as they are. */
import { formatPath, readPath, withPath, type ConfigPath } from "@pincer/sdk";
import { configShape } from "./schema.ts";
import { findSecretAddresses } from "./secret-addresses.ts";
import { findLiteralSecrets, mask } from "./secret-keys.ts";

/** `also` names further paths to hide, such as those filled from a secret variable. */
export function maskConfig<Value>(config: Value, also: ConfigPath[] = []): Value {
  let masked: unknown = config;
  for (const path of [...findLiteralSecrets(configShape, config), ...also])
    masked = withPath(masked, path, mask);
  for (const { path, masked: address } of findSecretAddresses(masked))
    masked = withPath(masked, path, address);
  return masked as Value;
}

/** The secrets that stand in the config itself, for taking them out of what is written. */
export function literalSecrets(
  config: unknown,
  also: ConfigPath[] = [],
): Array<{ name: string; value: string }> {
  const whole = [...findLiteralSecrets(configShape, config), ...also].map((path) => ({
    name: formatPath(path),
    value: String(readPath(config, path)),
  }));
  const within = findSecretAddresses(config).flatMap(({ path, values }) =>
    values.map((value) => ({ name: formatPath(path), value })),
  );
  return [...whole, ...within];
}
