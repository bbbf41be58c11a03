/**
 * The environment goes to a program by way of the programs that put up its wall: as words of theirs, every user of the machine could read it. What
 * those programs would be steered by themselves stays behind, or it would be obeyed outside the wall.
 */
export const handedOn = (environment: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !steersWall(name)));

/** What a C library takes away from programs with rights of another, and whatever Perl listens to. */
const steersWall = (name: string): boolean =>
  /^(?:LD_|DYLD_|MALLOC_|GLIBC_|PERL)|^(?:GCONV_PATH|GETCONF_DIR|HOSTALIASES|LOCALDOMAIN|LOCPATH|NIS_PATH|NLSPATH|RESOLV_HOST_CONF|RES_OPTIONS|TZDIR)$/.test(
    name,
  );
