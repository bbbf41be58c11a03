/** What of this machine a program needs in order to run, and nothing that is anybody's secret. */
import { basename, dirname, join } from "node:path";
import { isInside } from "../is-inside.ts";

/**
 * Programs and their libraries. Of /usr and /usr/local by name, and nothing of /opt: services that people install by hand keep their settings, keys and
 * data beside their programs there, which a gateway that runs as root could read.
 */
export const systemDirectories = [
  ...["bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "include", "share", "games"].flatMap(
    (name) => [join("/usr", name), join("/usr/local", name)],
  ),
  "/usr/local/cargo/bin",
  "/usr/local/go",
  "/usr/local/rustup",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/nix/store",
  "/gnu/store",
];

/**
 * Where the programs are that put up walls. PATH is not asked: among its directories may be one of a workdir (npm and npx put a project's own in front),
 * and what a model left there would be started outside of every wall.
 */
export const programDirectories = [
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
  "/usr/local/bin",
  "/usr/local/sbin",
  "/snap/bin",
  "/run/wrappers/bin",
  "/run/current-system/sw/bin",
  "/opt/homebrew/bin",
];

/**
 * Of /etc by name, since beside these lie password hashes, keys of hosts and logins of services. Of `ssl` and `pki` the certificates
 * alone: their neighbours are private keys, which a gateway that runs as root could read.
 */
export const harmlessSettings = [
  "alternatives",
  "bash.bashrc",
  "ca-certificates",
  "ca-certificates.conf",
  "debian_version",
  "fonts",
  "gai.conf",
  "group",
  "host.conf",
  "hosts",
  "inputrc",
  "java-11-openjdk",
  "java-17-openjdk",
  "java-21-openjdk",
  "java-25-openjdk",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "locale.alias",
  "localtime",
  "lsb-release",
  "magic",
  "magic.mime",
  "mime.types",
  "nsswitch.conf",
  "os-release",
  "passwd",
  "perl",
  "pki/ca-trust",
  "pki/tls/cert.pem",
  "pki/tls/certs",
  "protocols",
  "python3",
  "services",
  "ssl/cert.pem",
  "ssl/certs",
  "ssl/openssl.cnf",
  "terminfo",
  "timezone",
].map((name) => join("/etc", name));

/** The Node that runs us, and what lies beside it where it lies in a directory for programs. */
export function nodePaths(node: string): string[] {
  const directory = dirname(node);
  return basename(directory) === "bin"
    ? [directory, join(dirname(directory), "lib", "node_modules")]
    : [node];
}

/** The directories below `directory` that lead to `path`, from the top; none where it lies directly in there or elsewhere. */
export function directoriesBetween(directory: string, path: string): string[] {
  const parent = dirname(path);
  return parent === directory || !isInside(parent, directory)
    ? []
    : [...directoriesBetween(directory, parent), parent];
}
