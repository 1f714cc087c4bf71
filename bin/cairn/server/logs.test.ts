import { describe, expect, it } from 'vitest';
import type { ConsoleUpdate } from '#control/protocol/console.ts';
import { linePrinter } from './logs.ts';

const update = (epoch: string, ...seqs: number[]): ConsoleUpdate => ({
  server_id: 'a',
  epoch,
  from: seqs[0] ?? 1,
  gap: 0,
  lines: seqs.map((seq) => ({ seq, at: 0, stream: 'out', text: `line ${seq}` })),
});

function printing() {
  const shown: string[] = [];
  const printer = linePrinter(
    (text) => shown.push(text),
    (text) => shown.push(text),
  );
  return { shown, printer };
}

describe('console lines in a terminal', () => {
  it('are printed once each, however updates overlap, and gaps are reported', () => {
    const { shown, printer } = printing();
    printer.begin(update('one', 8, 9));
    printer.take(update('one', 9, 10));
    printer.take(update('one', 14));
    expect(shown).toEqual(['line 8', 'line 9', 'line 10', '[3 lines missing]', 'line 14']);
    expect(printer.at()).toEqual({ epoch: 'one', next: 15 });
  });

  it('start again with each start of the server', () => {
    const { shown, printer } = printing();
    printer.begin(update('one', 8));
    printer.take(update('two', 1, 2));
    expect(shown).toEqual(['line 8', 'line 1', 'line 2']);
    printer.take(update('three', 3));
    expect(shown.slice(3)).toEqual(['[2 lines missing]', 'line 3']);
  });

  it('wait for the lines that were missed, although they came before them', () => {
    const { shown, printer } = printing();
    printer.begin(update('one', 8));
    printer.hold();
    printer.take(update('one', 11));
    printer.take(update('one', 12));
    expect(shown).toEqual(['line 8']);
    printer.release(update('one', 9, 10));
    printer.take(update('one', 13));
    expect(shown).toEqual([8, 9, 10, 11, 12, 13].map((seq) => `line ${seq}`));
  });

  it('name what Cairn itself did', () => {
    const { shown, printer } = printing();
    const texts = [
      'restart_requested ada',
      'stop_requested',
      'crash_restart 2',
      'fell_asleep 15',
      'woken',
      'of_tomorrow x',
    ];
    const lines = texts.map((text, i) => ({ seq: i + 1, at: 0, stream: 'cairn' as const, text }));
    printer.begin({ ...update('one'), lines });
    expect(shown).toEqual([
      '[cairn] Restart requested by ada',
      '[cairn] Stop requested',
      '[cairn] Restarting after a crash, attempt 2',
      '[cairn] Going to sleep: nobody played for 15 minutes',
      '[cairn] Woken by a player',
      '[cairn] of_tomorrow x',
    ]);
  });

  it('cannot control the terminal, whoever wrote them', () => {
    const { shown, printer } = printing();
    const text = '\u001b]0;title\u0007\u001b[31mred\u001b[0m\ta\u0008b\r\u009b2Jc';
    printer.begin({ ...update('one'), lines: [{ seq: 1, at: 0, stream: 'in', text }] });
    expect(shown).toEqual(['> red\tabc']);
  });
});
