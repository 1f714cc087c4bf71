import type { Namespace, Socket } from 'socket.io';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleLine, ConsoleUpdate } from '../protocol/console.ts';
import { LiveConsole, type Tail } from './live-console.ts';

const line = (seq: number): ConsoleLine => ({ seq, at: 0, stream: 'out', text: `line ${seq}` });
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => line(from + i));
const batch = (from: number, to: number) => ({ epoch: 'one', from, lines: lines(from, to) });

/** A viewer that remembers what it was sent; in the room it gets what is sent to all. */
class Viewer {
  readonly got: number[] = [];
  gaps = 0;
  inRoom = false;
  readonly conn = { transport: { socket: { bufferedAmount: 0 } }, writeBuffer: [] };
  join(): void {
    this.inRoom = true;
  }
  leave(): void {
    this.inRoom = false;
  }
  emit(_name: string, { gap, lines: sent }: ConsoleUpdate): void {
    this.gaps += gap;
    this.got.push(...sent.map(({ seq }) => seq));
  }
  get socket(): Socket {
    return this as unknown as Socket;
  }
}

let viewers: Viewer[] = [];
beforeEach(() => {
  viewers = [];
});
const namespace = {
  to: () => ({
    emit: (name: string, update: ConsoleUpdate) => {
      for (const viewer of viewers) if (viewer.inRoom) viewer.emit(name, update);
    },
  }),
} as unknown as Namespace;

/** A console whose agent answers as `tail` says, and a viewer that has entered it. */
async function watched(tail: Tail) {
  const console = new LiveConsole(namespace, 'S', tail);
  const viewer = new Viewer();
  viewers.push(viewer);
  const first = await console.enter(viewer.socket, undefined);
  return { console, viewer, first };
}
const turn = () => new Promise((done) => setImmediate(done));
const seqs = (from: number, to: number) => lines(from, to).map(({ seq }) => seq);

describe('a viewer that enters', () => {
  it('gets live lines after the first ones, also those that came at the same moment', async () => {
    const { console, viewer, first } = await watched(async () => ({
      epoch: 'one',
      lines: lines(1, 3),
      first: 1,
    }));
    console.take(batch(4, 5));
    // the answer with the first lines is on its way
    expect([first?.lines.length, viewer.got]).toEqual([3, []]);
    await turn();
    expect(viewer.got).toEqual([4, 5]);
    console.take(batch(6, 6));
    expect(viewer.got).toEqual([4, 5, 6]);
  });

  it('and knows more lines than this process gets no line that it has already', async () => {
    const { console } = await watched(async () => ({ epoch: 'one', lines: lines(1, 3), first: 1 }));
    const viewer = new Viewer(); // its plane was killed
    viewers.push(viewer);
    const first = await console.enter(viewer.socket, { epoch: 'one', next: 6 });
    expect(first).toMatchObject({ from: 6, gap: 0, lines: [] });
    await turn();
    console.take(batch(4, 5));
    console.take(batch(6, 7));
    await expect.poll(() => viewer.got).toEqual([6, 7]);
    console.take(batch(8, 8));
    expect([viewer.got, viewer.gaps]).toEqual([[6, 7, 8], 0]);
  });
});

describe('while missing lines are fetched', () => {
  it('those that follow without a gap go on, however late the agent answers', async () => {
    let answer: (() => void) | null = null;
    const { console, viewer } = await watched(async (before) => {
      if (answer) await new Promise<void>((go) => (answer = go));
      return { epoch: 'one', lines: before === null ? lines(1, 3) : [], first: 1 };
    });
    await turn();
    answer = () => {};
    void console.backfill(); // its agent has reconnected
    for (let seq = 4; seq <= 300; seq++) console.take(batch(seq, seq));
    expect(viewer.got).toEqual(seqs(4, 300));
    answer();
    await turn();
    console.take(batch(301, 301));
    expect([viewer.got, viewer.gaps]).toEqual([seqs(4, 301), 0]);
  });

  it('an agent that does not answer is asked again before they count as lost', async () => {
    let asked = 0;
    const { console, viewer } = await watched(async () => {
      asked += 1;
      if (asked === 2) return null;
      return { epoch: 'one', lines: asked === 1 ? lines(1, 3) : lines(1, 10), first: 1 };
    });
    await turn();
    console.take(batch(8, 10)); // 4 to 7 are missing
    await expect.poll(() => viewer.got).toEqual(seqs(4, 10));
    expect(viewer.gaps).toBe(0);
  });

  it('what nobody has any more counts as lost', async () => {
    let known = true;
    const { console, viewer } = await watched(async () =>
      known ? { epoch: 'one', lines: lines(1, 3), first: 1 } : null,
    );
    await turn();
    known = false;
    console.take(batch(8, 10));
    await expect.poll(() => [viewer.got, viewer.gaps], { timeout: 10_000 }).toEqual([[8, 9, 10], 4]);
  });
});
