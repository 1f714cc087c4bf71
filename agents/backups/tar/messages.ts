import { writeAll } from './output.ts';

/** What the programs that pack and unpack tell the agent: lines of JSON on their file descriptor 3. */
export type ProgramMessage =
  | { done: number }
  | { packed: { files: number; content_bytes: number; changed: string[]; changed_count: number } }
  | { stored: { bytes: number; sha256: string } }
  | { unpacked: { files: number; content_bytes: number; damaged: string[]; left_out: number } }
  | { failed: { code: string; message: string } };

const interval_ms = 500;
const fd = 3;

/** Fails when the agent is gone, which ends the program. */
export const tell = (message: ProgramMessage): void =>
  writeAll(fd, Buffer.from(`${JSON.stringify(message)}\n`));

/** Tells `done` at once, then from time to time. */
export function progress(): (done: number) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (done) => {
    const now = performance.now();
    if (now - last < interval_ms) return;
    last = now;
    tell({ done });
  };
}

/** Runs the program: what it throws is told, and its exit code is 1. */
export async function runProgram(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code = 'failed', message } = error as NodeJS.ErrnoException;
    try {
      tell({ failed: { code, message } });
    } catch {
      // nobody listens any more
    }
    process.exitCode = 1;
  }
}
