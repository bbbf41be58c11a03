/**
 * The last step before a program: what only a process can do to itself. Node cannot ask the kernel for these, and nothing of ours is compiled, so
 * a few lines of Perl do, which lies on nearly every Linux. Words of a model stand behind the `--` alone and are never read by it; what goes wrong
 * ends it, so that no program ever runs half enclosed.
 */
import { makeSeccompFilter, type SocketRule } from "./seccomp-filter.ts";
import type { ProgramCall } from "./wall.ts";

export interface StageParts {
  perl: string;
  /** Such as `x64`. */
  arch: string;
}

export interface StageLimits {
  /** Of the user in this user namespace; root has no such limit. */
  processes?: number;
  /** What one process may have in memory of its own. */
  memoryBytes?: number;
}

export interface StageWork extends StageLimits {
  sockets: SocketRule;
  landlock?: StageLandlock;
}

/** What a wall without namespaces has the stage do in their place. */
export interface StageLandlock {
  /** Numbers of the kernel's: which rights are asked about at all. */
  handled: { files: number; network: number; scopes: number; bytes: number };
  /** Of paths that are there. */
  rules: ReadonlyArray<{ path: string; access: number }>;
  /** Made for the program, named by TMPDIR, and removed after it. */
  temporary: { path: string; access: number };
}

/** Whether the stage can be used on this kind of processor. */
export const canStage = (arch: string): boolean => numbers[arch] !== undefined;

/** What the stage is started with besides the call's environment, and takes away again: Perl would complain of a language that is not installed. */
export const stageEnvironment = { PERL_BADLANG: "0" } as const;

/** The command line that runs `call` behind the stage. Its environment is that of the process that starts it. */
export function stageWords({ perl, arch }: StageParts, work: StageWork, call: ProgramCall): string[] {
  const { prctl, prlimit, capset } = numbers[arch] ?? { prctl: 0, prlimit: 0, capset: 0 };
  const filter = makeSeccompFilter(arch, work.sockets) ?? new Uint8Array();
  const { landlock, processes, memoryBytes } = work;
  // One byte: with none, a handler of the machine would still be handed the memory of whatever crashed.
  const noCores = "4:1";
  return [
    perl,
    "-e",
    stageText,
    "numbers",
    `${prctl}:${prlimit}:${capset}`,
    "limit",
    noCores,
    ...(processes === undefined ? [] : ["limit", `6:${processes}`]),
    ...(memoryBytes === undefined ? [] : ["limit", `2:${Math.floor(memoryBytes)}`]),
    ...(landlock ? landlockWords(landlock, call) : []),
    ...(call.directoryId === undefined ? [] : ["directory", call.directoryId]),
    "seccomp",
    Buffer.from(filter).toString("hex"),
    "--",
    call.file,
    ...call.args,
  ];
}

function landlockWords({ handled, rules, temporary }: StageLandlock, call: ProgramCall): string[] {
  const { files, network, scopes, bytes } = handled;
  return [
    "landlock",
    `${files}:${network}:${scopes}:${bytes}`,
    ...rules.flatMap(({ path, access }) => ["rule", `${access}:${path}`]),
    "temporary",
    `${temporary.access}:${temporary.path}`,
    "chdir",
    call.cwd,
  ];
}

const numbers: Record<string, { prctl: number; prlimit: number; capset: number }> = {
  x64: { prctl: 157, prlimit: 302, capset: 126 },
  arm64: { prctl: 167, prlimit: 261, capset: 91 },
};

/**
 * With `landlock` the stage also stays behind as the parent of all that the program starts, so that what was left in the background ends with it.
 * The numbers are those of linux/prctl.h, linux/landlock.h and linux/capability.h.
 */
const stageText = String.raw`
use strict;
delete $ENV{PERL_BADLANG};
my (@limits, @rules, $landlock, $temporary, $chdir, $directory, $filter, $prctl, $prlimit, $capset);
sub fail { print STDERR "pincer: the wall does not stand: @_: $!\n"; exit 125 }
while (defined(my $key = shift @ARGV)) {
  last if $key eq "--";
  my $value = shift @ARGV;
  if ($key eq "numbers") { ($prctl, $prlimit, $capset) = map { $_ + 0 } split /:/, $value }
  elsif ($key eq "limit") { push @limits, [map { $_ + 0 } split /:/, $value] }
  elsif ($key eq "rule") { push @rules, [split /:/, $value, 2] }
  elsif ($key eq "landlock") { $landlock = [map { $_ + 0 } split /:/, $value] }
  elsif ($key eq "temporary") { $temporary = [split /:/, $value, 2] }
  elsif ($key eq "chdir") { $chdir = $value }
  elsif ($key eq "directory") { $directory = $value }
  elsif ($key eq "seccomp") { $filter = pack "H*", $value }
  else { fail("unknown word $key") }
}
sub control { return syscall($prctl, $_[0] + 0, $_[1] + 0, 0, 0, 0) }
sub enclose {
  my @groups = @_;
  if (defined $directory) {
    my @place = stat ".";
    @place && "$place[0]:$place[1]" eq $directory or fail("its directory has become another one");
  }
  if ($landlock) {
    my ($files, $network, $scopes, $bytes) = @$landlock;
    my $attribute = substr pack("Q3", $files, $network, $scopes), 0, $bytes;
    my $set = syscall 444, $attribute, $bytes + 0, 0;
    fail("landlock") if $set < 0;
    for my $rule (@rules) {
      my ($access, $path) = @$rule;
      sysopen(my $place, $path, 0x280000) or next;
      $access &= 0xC007 unless -d $place;
      my $beneath = pack "Ql", $access & $files, fileno $place;
      syscall(445, $set, 1, $beneath, 0) == 0 or fail("landlock rule $path");
    }
    for my $right (0 .. 63) { control(24, $right) }
    my ($header, $none) = (pack("LL", 0x20080522, 0), pack("L6", 0, 0, 0, 0, 0, 0));
    syscall($capset, $header, $none) == 0 or fail("rights");
    control(38, 1) == 0 or fail("no new privileges");
    syscall(446, $set, 0) == 0 or fail("landlock");
    control(1, 9) == 0 or fail("death signal");
  }
  for my $limit (@limits) {
    my ($which, $most) = @$limit;
    my $both = pack "QQ", $most, $most;
    syscall($prlimit, 0, $which, $both, 0) == 0 or fail("limit $which");
  }
  if (length $filter) {
    control(38, 1) == 0 or fail("no new privileges");
    my $program = pack "S x6 P", length($filter) / 8, $filter;
    syscall($prctl, 22, 2, $program, 0, 0) == 0 or fail("filter");
  }
  my $file = $ARGV[0];
  exec { $file } @ARGV;
  print STDERR "$file: $!\n";
  exit($!{ENOENT} ? 127 : 126);
}
unless ($landlock) { enclose() }
my $scratch = $temporary->[1];
mkdir $scratch, 0700 or fail("temporary directory");
push @rules, $temporary;
@ENV{"TMPDIR", "TMP", "TEMP"} = ($scratch) x 3;
chdir $chdir or fail("chdir");
$ENV{PWD} = $chdir;
control(36, 1) == 0 or fail("subreaper");
if (open my $score, ">", "/proc/self/oom_score_adj") { print $score "1000"; close $score }
my $child = fork;
fail("fork") unless defined $child;
enclose() if $child == 0;
$SIG{$_} = "IGNORE" for "INT", "QUIT", "TSTP", "TTIN", "TTOU";
for my $name ("TERM", "HUP", "USR1", "USR2") { $SIG{$name} = sub { kill $name, $child } }
my $status = 0;
while ((my $ended = waitpid -1, 0) != $child) { last if $ended == -1 && !$!{EINTR} }
$status = $?;
sub children {
  open my $list, "<", "/proc/$$/task/$$/children" or return ();
  return split " ", <$list> // "";
}
for (my @left = children(); @left; @left = children()) {
  kill "KILL", @left;
  waitpid $_, 0 for @left;
}
system "/bin/rm", "-rf", "--", $scratch;
if (my $signal = $status & 127) { $SIG{$_} = "DEFAULT" for "INT", "QUIT", "TERM", "HUP", "USR1", "USR2"; kill $signal, $$; exit 128 + $signal }
exit $status >> 8;
`;
