import type { Logger } from 'pino';

/** What a process closes before it ends, in the opposite order of adding. */
export interface Shutdown {
  add(close: () => unknown): void;
}

/** Later than this the process ends whether it is done or not; its supervisor kills at 7 s. */
const limit_ms = 6_500;

/**
 * Makes this process end well: on SIGTERM, SIGINT, and when the supervisor that started it is gone, everything added
 * is closed, newest first, and the process ends. An error nobody caught is logged and ends it the same way, with code 1.
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
        log.error({ err: error }, 'Something did not close well');
      }
    }
    process.exit(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end(0));
  if (process.channel) process.once('disconnect', () => void end(0));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'An error nobody caught ends this process');
    void end(1);
  });
  return { add: (close) => void closers.push(close) };
}
