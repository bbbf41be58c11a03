/** Starts a timer of this thread's CPU time, in milliseconds: other work of the machine does not count. */
export function startThreadTimer(): () => number {
  const started = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(started);
    return (user + system) / 1000;
  };
}
