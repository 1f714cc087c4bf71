import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * As many processes as lie on the way of a transfer (site, control plane, agent), which only pass bytes on: the least that this
 * way costs on this machine. One process is a bare server. `file` is what GET gives, `stored` where PUT stores its body. Gives the address of the first one.
 */
export async function openBareChain(
  files: { file: string; stored: string },
  count = 3,
): Promise<{ url: string; last_pid: number; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bare-chain-'));
  const at = (number: number) => (number === 0 ? '0' : join(folder, String(number)));
  const relays: ChildProcess[] = [];
  let port = 0;
  for (let number = count - 1; number >= 0; number--) {
    const args = number === count - 1 ? [at(number)] : [at(number), at(number + 1)];
    const env = { ...process.env, FILE: files.file, STORED: files.stored };
    const relay = fork(join(import.meta.dirname, 'bare-relay.ts'), args, { env });
    relays.push(relay);
    [port] = (await once(relay, 'message')) as [number];
  }
  return {
    url: `http://127.0.0.1:${port}`,
    last_pid: relays[0]!.pid!,
    close() {
      for (const relay of relays) relay.kill();
      rmSync(folder, { recursive: true });
    },
  };
}
