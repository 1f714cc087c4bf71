import { setTimeout } from 'node:timers/promises';
import WebSocket from 'ws';

/** The inspector of a process that runs already, by which its garbage is collected. */
export interface Inspected {
  collect(): Promise<void>;
  close(): void;
}

/**
 * Opens the inspector of a Node process, which listens at `port` once it gets SIGUSR1 (its `--inspect-port`). That costs memory, so
 * it is opened before the first measurement.
 */
export async function inspect(pid: number, port: number): Promise<Inspected> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await addressAt(port));
  await new Promise((go, fail) => socket.once('open', go).once('error', fail));
  let last = 0;
  return {
    async collect() {
      const id = ++last;
      const done = new Promise<void>((go, fail) => {
        const hear = (text: Buffer) => {
          const answer = JSON.parse(text.toString()) as { id?: number; error?: { message: string } };
          if (answer.id !== id) return;
          socket.off('message', hear);
          if (answer.error) fail(new Error(answer.error.message));
          else go();
        };
        socket.on('message', hear);
      });
      socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
      await done;
    },
    close: () => socket.close(),
  };
}

async function addressAt(port: number): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const list = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null);
    if (list?.ok) return ((await list.json()) as [{ webSocketDebuggerUrl: string }])[0].webSocketDebuggerUrl;
    await setTimeout(100);
  }
  throw new Error(`no inspector listens at ${port}`);
}
