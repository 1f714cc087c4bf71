import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type ConsoleLine, max_line_bytes } from '#control/protocol/console.ts';
import { Console } from './console.ts';
import { FrameSplitter } from './frames.ts';
import { LineBuffer } from './line-buffer.ts';
import { clean, LineSplitter } from './lines.ts';
import { LogReplay } from './replay.ts';
import { type Batch, ConsoleSender, takeWithinBytes } from './sender.ts';

const line = (text: string): Omit<ConsoleLine, 'seq'> => ({ at: 1, stream: 'out', text });
const frame = (source: 1 | 2, text: string): Buffer => {
  const bytes = Buffer.from(text);
  const header = Buffer.from([source, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
};

describe('lines', () => {
  const split = (pieces: Buffer[]): string[] => {
    const lines: string[] = [];
    const splitter = new LineSplitter((text) => lines.push(text));
    for (const piece of pieces) splitter.write(piece);
    splitter.end();
    return lines;
  };

  it('are the same in whatever pieces they arrive', () => {
    const long = `${'x'.repeat(max_line_bytes)}\n${'y'.repeat(max_line_bytes * 2 + 5)}\n`;
    const bytes = Buffer.from(`one\r\ntwo ä€😀\n\n${long}${'😀'.repeat(5_000)}\nlast`);
    const whole = split([bytes]);
    for (const size of [1, 7, 100, 8_192, 8_193])
      expect(
        split(
          Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
            bytes.subarray(n * size, (n + 1) * size),
          ),
        ),
      ).toEqual(whole);
    expect(whole.slice(0, 4)).toEqual(['one', 'two ä€😀', '', 'x'.repeat(max_line_bytes)]);
    expect(whole.every((text) => text.length <= max_line_bytes && text.isWellFormed())).toBe(true);
    expect(whole.at(-1)).toBe('last');
  });

  it.each([
    ['\u001b[32mgreen\u001b[0m', '\u001b[32mgreen\u001b[0m'],
    ['\u001b[1G\u001b[0J> \u001b[3G[12:00] hello', '[12:00] hello'],
    ['> typed by a person', '> typed by a person'],
    ['10 %\r50 %\r100 %', '100 %'],
    ['done\r', 'done'],
    ['\u001b]0;title\u0007text', 'text'],
    ['a\u0000b\u0007c\td', 'abc\td'],
    ['\u001b[2K\u001b[1Aup', 'up'],
  ])('%j are shown as %j', (raw, shown) => {
    expect(clean(raw)).toBe(shown);
  });
});

it('frames are parted in whatever pieces they arrive', () => {
  const bytes = Buffer.concat([
    frame(1, 'one\n'),
    frame(2, ''),
    frame(2, 'bad\n'),
    frame(1, 'x'.repeat(70_000)),
  ]);
  for (const size of [1, 3, 8, 11, 4_096, bytes.length]) {
    const got: [string, string][] = [];
    const splitter = new FrameSplitter((source, part) => got.push([source, part.toString()]));
    for (let at = 0; at < bytes.length; at += size) splitter.write(bytes.subarray(at, at + size));
    expect(got).toEqual([
      ['out', 'one\n'],
      ['err', ''],
      ['err', 'bad\n'],
      ['out', 'x'.repeat(70_000)],
    ]);
  }
});

describe('the buffer', () => {
  it('holds the newest that fit, numbered on', () => {
    const buffer = new LineBuffer(10_000);
    for (let count = 1; count <= 5_000; count++) buffer.add(line(`line ${count}`));
    expect(buffer.next).toBe(5_001);
    expect(buffer.bytes).toBeLessThanOrEqual(10_000);
    expect(buffer.first).toBeGreaterThan(4_800);
    expect(buffer.from(1, 2).map(({ seq }) => seq)).toEqual([buffer.first, buffer.first + 1]);
    expect(buffer.from(5_000, 10)).toMatchObject([{ seq: 5_000, text: 'line 5000' }]);
    expect(buffer.from(5_001, 10)).toEqual([]);
  });

  it('gives what stands before a line, oldest first', () => {
    const buffer = new LineBuffer();
    for (let count = 1; count <= 10; count++) buffer.add(line(`${count}`));
    expect(buffer.before(null, 3).map(({ seq }) => seq)).toEqual([8, 9, 10]);
    expect(buffer.before(4, 2).map(({ seq }) => seq)).toEqual([2, 3]);
    expect(buffer.before(4, 100).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(buffer.before(1, 5)).toEqual([]);
  });
});

describe('a log that is read again', () => {
  const moment = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000000Z`;
  const read = (replay: LogReplay, texts: string[], from = 0) => {
    for (const [index, text] of texts.entries()) {
      replay.at(moment(from + index));
      replay.line({ at: replay.now, stream: 'out', text });
    }
  };
  const shown = (buffer: LineBuffer) =>
    buffer.from(1, 100).map(({ seq, stream, text }) => [seq, stream, text]);

  it('numbers lines as before, with the typed ones at their places', () => {
    const buffer = new LineBuffer();
    const added = [
      { seq: 2, at: 5, stream: 'in' as const, text: 'say a' },
      { seq: 5, at: 6, stream: 'cairn' as const, text: 'stop_requested ada' },
    ];
    const replay = new LogReplay(buffer, { position: null, added, newest: moment(2) });
    read(replay, ['one', 'two', 'three']);
    expect(shown(buffer)).toEqual([
      [1, 'out', 'one'],
      [2, 'in', 'say a'],
      [3, 'out', 'two'],
      [4, 'out', 'three'],
      [5, 'cairn', 'stop_requested ada'],
    ]);
    buffer.add({ at: 7, stream: 'in', text: 'say c' });
    replay.addedNow();
    read(replay, ['four'], 3);
    expect(shown(buffer).slice(5)).toEqual([
      [6, 'in', 'say c'],
      [7, 'out', 'four'],
    ]);
  });

  it('leaves out what the console left out, with commands before, between and after it', () => {
    const live = (events: string[]) => {
      const buffer = new LineBuffer();
      const hidden = new Map<number, number>();
      const added: Array<{ seq: number; at: number; stream: 'in'; text: string }> = [];
      for (const text of events)
        if (text.startsWith('/')) hidden.set(buffer.next, (hidden.get(buffer.next) ?? 0) + 1);
        else if (text.startsWith('say'))
          added.push({ ...buffer.add({ at: 1, stream: 'in', text }), stream: 'in' });
        else buffer.add(line(text));
      const log = events.filter((text) => !text.startsWith('say'));
      return { buffer, hidden, added, log };
    };
    const word = fc.constantFrom('/help', 'say hello', 'output');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const { buffer, hidden, added, log } = live(words.map((text, index) => `${text} ${index}`));
        const again = new LineBuffer();
        const newest = log.length > 0 ? moment(log.length - 1) : null;
        read(new LogReplay(again, { position: null, added, hidden, newest }), log);
        // what was typed after the last line of the log comes with the next line
        const known = again.from(1, 100).length;
        expect(shown(again)).toEqual(shown(buffer).slice(0, known));
        expect(log.length === 0 || known === buffer.next - 1).toBe(true);
      }),
    );
  });

  it('leaves out what the buffer has', () => {
    const buffer = new LineBuffer();
    for (const text of ['one', 'two']) buffer.add(line(text));
    read(new LogReplay(buffer, { position: null, added: [], newest: null }), ['one', 'two', 'three']);
    expect(shown(buffer).map(([, , text]) => text)).toEqual(['one', 'two', 'three']);
  });

  it('counts from the mark when the log begins later than the process', () => {
    const buffer = new LineBuffer();
    const saved = { epoch: 'e', first: 'lost long ago', seq: 500, at: Date.parse(moment(1)) };
    read(new LogReplay(buffer, { position: saved, added: [], newest: null }), [
      'old',
      'known',
      'new',
      'newer',
    ]);
    expect(shown(buffer)).toEqual([
      [501, 'out', 'new'],
      [502, 'out', 'newer'],
    ]);
  });
});

describe('the line of a command', () => {
  /** A console of a process whose output is pushed into `stream`; `shown` has the lines at each announcement. */
  const open = async () => {
    const shown: string[][] = [];
    const stream = new Duplex({ read() {}, write: (_bytes, _encoding, done) => done() });
    const store = { saveAddedLine() {}, saveReadPosition() {} };
    const console = new Console('S1', {
      store: store as never,
      now: () => 1,
      onLine() {},
      onLines: () => void shown.push(console.buffer.from(1, 10).map(({ text }) => text)),
      onClosed() {},
    });
    await console.begin({ streams: { getContainer: () => ({ attach: async () => stream }) } } as never, 'c1');
    console.started('c1-1');
    shown.length = 0;
    return { console, stream, shown };
  };

  it('is announced with its answer', async () => {
    const { console, stream, shown } = await open();
    const written = console.write('say hi');
    stream.push(frame(1, 'hi\n'));
    expect(await written).toBe(true);
    await vi.waitFor(() => expect(shown[0]).toEqual(['say hi', 'hi']));
    console.stop();
  });

  it('is announced when no answer comes', async () => {
    const { console, shown } = await open();
    expect(await console.write('say hi')).toBe(true);
    expect(shown).toEqual([]);
    await vi.waitFor(() => expect(shown).toEqual([['say hi']]));
    console.stop();
  });
});

describe('the sender', () => {
  const setUp = (buffer = new LineBuffer()) => {
    const sent: Batch[] = [];
    const answers: ((taken: boolean) => void)[] = [];
    const console = { buffer, epoch: 'e1' };
    const sender = new ConsoleSender(console, (batch) => {
      sent.push(batch);
      return new Promise((done) => answers.push(done));
    });
    const say = (count: number) => {
      for (let n = 0; n < count; n++) {
        buffer.add(line('x'));
        sender.onLines();
      }
    };
    return { console, buffer, sent, answers, sender, say };
  };

  it('sends nothing without viewers', () => {
    const { sent, say } = setUp();
    say(3);
    expect(sent).toEqual([]);
  });

  it('sends the first two lines at once and what follows together', async () => {
    const { sent, sender, say } = setUp();
    sender.watch(true);
    say(1);
    expect(sent.map(({ lines }) => lines.length)).toEqual([1]);
    say(40);
    expect(sent).toHaveLength(2);
    await vi.waitFor(() => expect(sent.map(({ lines }) => lines.length)).toEqual([1, 1, 39]));
    sender.stop();
  });

  it('has four batches on their way at most and goes on with every answer', async () => {
    const { sent, answers, sender, say } = setUp();
    sender.watch(true);
    say(5_000);
    await vi.waitFor(() => expect(sent).toHaveLength(4));
    answers[0]!(true);
    await vi.waitFor(() => expect(sent).toHaveLength(5));
    for (let taken = 1; taken < 11; taken++) {
      await vi.waitFor(() => expect(answers.length).toBeGreaterThan(taken));
      answers[taken]!(true);
    }
    await vi.waitFor(() => expect(sent.at(-1)?.lines.at(-1)?.seq).toBe(5_000));
    const all = sent.flatMap(({ lines }) => lines.map(({ seq }) => seq));
    expect(all).toEqual(Array.from({ length: 5_000 }, (_, index) => index + 1));
    sender.stop();
  });

  it('sends lines the buffer dropped as a gap', async () => {
    const { buffer, sent, sender, say } = setUp(new LineBuffer(20_000));
    sender.watch(true);
    say(5_000);
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    const { from, lines } = sent[2]!;
    expect(from).toBe(3);
    expect(lines.map(({ seq }) => seq)).toEqual(buffer.from(1, 1_000).map(({ seq }) => seq));
    expect(lines[0]!.seq).toBeGreaterThan(from);
    sender.stop();
  });

  it('sends again what was in flight when the connection was lost', async () => {
    const { sent, answers, sender, say } = setUp();
    sender.watch(true);
    say(1);
    answers[0]!(true);
    say(3);
    await vi.waitFor(() => expect(sent.at(-1)?.lines.at(-1)?.seq).toBe(4));
    const before = sent.length;
    sender.resend();
    expect(sent).toHaveLength(before + 1);
    expect(sent.at(-1)).toMatchObject({ from: 2 });
    expect(sent.at(-1)?.lines.map(({ seq }) => seq)).toEqual([2, 3, 4]);
    sender.stop();
  });

  it('does not wait for answers of a run that is over', async () => {
    const { console, buffer, sent, sender, say } = setUp();
    sender.watch(true);
    say(2_000);
    await vi.waitFor(() => expect(sent).toHaveLength(4));
    buffer.reset();
    console.epoch = 'e2';
    say(1);
    await vi.waitFor(() => expect(sent.at(-1)).toMatchObject({ epoch: 'e2', from: 1, lines: [{ seq: 1 }] }));
    sender.stop();
  });

  it('fits a batch into one message, one line at least', () => {
    const lines = Array.from({ length: 100 }, (_, index) => ({ seq: index + 1, ...line('y'.repeat(8_000)) }));
    expect(takeWithinBytes(lines)).toHaveLength(16);
    expect(takeWithinBytes(lines, 10)).toHaveLength(1);
    const escapes = lines.map((one) => ({ ...one, text: '\u001b '.repeat(4_000) }));
    expect(JSON.stringify(takeWithinBytes(escapes)).length).toBeLessThan(150_000);
  });
});
