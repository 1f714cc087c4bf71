import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A chain of as many processes as a command passes (site, control plane, agent) that only relay bytes: the minimum
 * cost on this machine. `echo` gives the round trip in milliseconds.
 */
export async function openRelays(count = 3): Promise<{ echo(): Promise<number>; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-relays-'));
  const at = (number: number) => join(folder, String(number));
  const relays: ChildProcess[] = [];
  for (let number = count - 1; number >= 0; number--) {
    const args = number === count - 1 ? [at(number)] : [at(number), at(number + 1)];
    const relay = fork(join(import.meta.dirname, 'relay.ts'), args);
    relays.push(relay);
    await once(relay, 'message');
  }
  const socket = connect(at(0));
  await once(socket, 'connect');
  return {
    async echo() {
      const began = performance.now();
      socket.write('say so\n');
      await once(socket, 'data');
      return performance.now() - began;
    },
    close() {
      socket.destroy();
      for (const relay of relays) relay.kill();
      rmSync(folder, { recursive: true });
    },
  };
}
