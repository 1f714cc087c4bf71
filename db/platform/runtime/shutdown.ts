import type { Logger } from 'pino';

/** Resources to close at shutdown, last added first. */
export interface Shutdown {
  add(close: () => unknown): void;
}

/** Deadline of a shutdown; then the process exits anyway. The supervisor kills it after 7 s. */
const limit_ms = 6_500;

/**
 * Installs a graceful shutdown: on SIGTERM, SIGINT, or when the supervisor dies, closes everything added, last first,
 * and exits. An uncaught error is logged and does the same with exit code 1.
 */
export function onShutdown(log: Logger): Shutdown {
  const closers: Array<() => unknown> = [];
  let shutdown = false;
  const end = async (code: number) => {
    if (shutdown) return;
    shutdown = true;
    setTimeout(() => process.exit(1), limit_ms).unref();
    for (const close of closers.reverse()) {
      try {
        await close();
      } catch (error) {
        log.error({ err: error }, 'Could not close a resource during shutdown');
      }
    }
    process.exit(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end(0));
  if (process.channel) process.once('disconnect', () => void end(0));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'Uncaught error; shutting down');
    void end(1);
  });
  return { add: (close) => void closers.push(close) };
}
