import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineBuffer } from './line-buffer.ts';

const line = (seq: number, text = `line ${seq}`) => ({ seq, at: 0, stream: 'out' as const, text });
const numbers = (buffer: LineBuffer) => buffer.since(1).map(({ seq }) => seq);

describe('a buffer of lines', () => {
  it('holds each line once and in order, however they overlap', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(50), fc.nat(20))), (batches) => {
        const buffer = new LineBuffer('one');
        let next = 1;
        for (const [from, count] of batches) {
          const lines = Array.from({ length: count }, (_, i) => line(from + 1 + i));
          const fresh = buffer.append(lines).map(({ seq }) => seq);
          expect(fresh).toEqual(lines.map(({ seq }) => seq).filter((seq) => seq >= next));
          next = Math.max(next, ...fresh.map((seq) => seq + 1));
        }
        expect(numbers(buffer)).toEqual([...new Set(numbers(buffer))].sort((a, b) => a - b));
        expect(buffer.next).toBe(next);
      }),
    );
  });

  it('keeps the newest 2000 lines, and less when they are long', () => {
    const buffer = new LineBuffer('one');
    buffer.append(Array.from({ length: 5_000 }, (_, i) => line(i + 1)));
    expect([buffer.size, numbers(buffer)[0], buffer.next]).toEqual([2_000, 3_001, 5_001]);
    buffer.append(Array.from({ length: 100 }, (_, i) => line(5_001 + i, 'x'.repeat(8_000))));
    expect(buffer.size).toBeLessThan(100);
    expect(buffer.since(5_099).map(({ seq }) => seq)).toEqual([5_099, 5_100]);
    expect(buffer.since(6_000)).toEqual([]);
  });

  it('keeps a whole burst while a viewer lags, and the usual number afterwards', () => {
    const buffer = new LineBuffer('one');
    buffer.append(
      Array.from({ length: 20_000 }, (_, i) => line(i + 1)),
      { lag: true },
    );
    expect(buffer.size).toBe(20_000);
    expect(buffer.since(7, 3).map(({ seq }) => seq)).toEqual([7, 8, 9]);
    buffer.append([line(20_001)]);
    expect(buffer.size).toBe(2_000);
  });
});
