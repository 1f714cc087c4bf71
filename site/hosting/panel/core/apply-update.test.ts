import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyUpdate,
  type Console,
  emptyConsole,
  isAhead,
  type Line,
  max_rows,
  mayReadOlder,
  type Row,
  withHistory,
} from './apply-update.ts';

const line = (seq: number): Line => ({ seq, at: seq, stream: 'out', text: `line ${seq}` });
const lines = (from: number, to: number): Line[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => line(from + i));
const update = (from: number, to: number, gap = 0, epoch = 'a') => ({
  epoch,
  from,
  gap,
  lines: lines(from + gap, to),
});
const text = ({ rows }: Console): string[] =>
  rows.map((row: Row) =>
    row.kind === 'line' ? `${row.line.seq}` : row.kind === 'gap' ? `gap ${row.count}` : 'fresh',
  );
const of = (...updates: Array<ReturnType<typeof update>>) => updates.reduce(applyUpdate, emptyConsole);

describe('a console', () => {
  it('shows each line once, in order, however updates overlap and repeat', () => {
    const piece = fc.tuple(fc.nat(40), fc.nat(12), fc.nat(60));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        let now = of(update(1, 2));
        for (const [back, length] of pieces) {
          const from = Math.max(1, now.next - back);
          now = applyUpdate(now, update(from, from + length));
        }
        expect(text(now)).toEqual(lines(1, now.next).map(({ seq }) => `${seq}`));
      }),
    );
  });

  it('shows gaps inside an update too, also at its end and before it', () => {
    const torn = { epoch: 'a', from: 11, gap: 0, lines: [line(11), line(12), line(20), line(22)] };
    expect(text(applyUpdate(of(update(9, 11)), torn)).slice(2)).toEqual([
      ...['11', '12', 'gap 7', '20', 'gap 1', '22'],
    ]);
    expect(text(applyUpdate(emptyConsole, torn))).toEqual(['11', '12', 'gap 7', '20', 'gap 1', '22']);
    const older = { epoch: 'a', from: 3, gap: 0, lines: [line(3), line(6)] };
    expect(text(withHistory(of(update(9, 10)), older))).toEqual(['3', 'gap 2', '6', 'gap 2', '9']);
  });

  it('counts every line once, as shown or as skipped, whatever is lost in between', () => {
    const piece = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.nat(5), fc.nat(12));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        let now = of(update(1, 2));
        let end = 2;
        for (const [ahead, gap, length] of pieces) {
          const from = Math.max(1, now.next + ahead);
          now = applyUpdate(now, update(from, from + gap + length, gap));
          end = Math.max(end, from + gap + length);
        }
        const counted = now.rows.reduce((sum, row) => sum + (row.kind === 'gap' ? row.count : 1), 0);
        const displayed = now.rows.flatMap((row) => (row.kind === 'line' ? [row.line.seq] : []));
        expect(displayed).toEqual([...new Set(displayed)].sort((a, b) => a - b));
        expect(counted).toBe(now.next - 1);
        expect(now.next).toBe(end);
        expect(new Set(now.rows.map(({ key }) => key)).size).toBe(now.rows.length);
      }),
    );
  });

  it('continues after a reconnect, and says how many lines were lost', () => {
    const now = of(update(1, 4), update(4, 10, 3));
    expect(text(now)).toEqual(['1', '2', '3', 'gap 3', '7', '8', '9']);
  });

  it('requests missing lines before it calls them lost', () => {
    const now = of(update(1, 4));
    expect(isAhead(now, update(6, 8))).toBe(true);
    expect(isAhead(now, update(4, 8))).toBe(false);
    expect(isAhead(now, update(1, 3, 0, 'b'))).toBe(false);
  });

  it('keeps the displayed lines when the server restarts, and counts from one again', () => {
    const now = of(update(1, 3), update(1, 3, 0, 'b'), update(1, 4, 0, 'b'));
    expect(text(now)).toEqual(['1', '2', 'fresh', '1', '2', '3']);
    expect(mayReadOlder(now)).toBe(false);
  });

  it('prepends older lines, until there are none', () => {
    const joined = of(update(501, 600));
    expect(mayReadOlder(joined)).toBe(true);
    const more = withHistory(joined, update(300, 501));
    expect(text(more).slice(0, 2)).toEqual(['300', '301']);
    expect(text(more)).toHaveLength(300);
    expect(withHistory(more, update(400, 501)).rows).toHaveLength(300);
    expect(mayReadOlder(withHistory(more, update(300, 300)))).toBe(false);
    expect(withHistory(more, update(1, 300, 0, 'other'))).toBe(more);
  });

  it('drops its oldest rows', () => {
    const now = of(update(1, max_rows), update(max_rows, max_rows + 500));
    expect(now.rows).toHaveLength(max_rows);
    expect(text(now)[0]).toBe('500');
    expect(mayReadOlder(now)).toBe(false);
  });
});
