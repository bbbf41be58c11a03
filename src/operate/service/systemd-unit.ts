/**
 * The systemd unit. It contains only paths and flags: keys and tokens come from the home's files, so that the unit
 * can be shown to anybody. It uses the hardening that a user unit can have and that leaves our own sandbox working
 * (bubblewrap needs namespaces, so those stay).
 */
export const unitName = "pincer.service";

export interface UnitFacts {
  node: string;
  pincer: string;
  home: string;
  arguments: readonly string[];
}

export function systemdUnit({ node, pincer, home, arguments: args }: UnitFacts): string {
  const words = [node, pincer, "gateway", "run", "--as-system-service", ...args];
  // In a command a dollar begins a variable; in an environment it is a letter like others.
  const command = words.map((word) => quoted(word).replaceAll("$", "$$$$")).join(" ");
  return `[Unit]
Description=Pincer gateway
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
Type=exec
ExecStart=${command}
Environment=${quoted(`PINCER_HOME=${home}`)}
Environment=MALLOC_ARENA_MAX=1
Restart=on-failure
RestartSec=2
KillSignal=SIGTERM
TimeoutStopSec=60
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native

[Install]
WantedBy=default.target
`;
}

/** As systemd takes words apart: quotes and backslashes escaped, and its specifiers not filled in. */
function quoted(word: string): string {
  const escaped = word
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("%", "%%");
  return `"${escaped}"`;
}
