import { expect, it, test } from 'vitest';
import { TickTime, tickTimeOf } from './tick-time.ts';

test.each([
  [
    '[12:00:00] [Server thread/INFO]: Target tick rate: 20.0 per second. Average time per tick: 4.1ms (Target: 50.0ms)',
    4.1,
  ],
  ['[12:00:00 INFO]: ◴ 5.1/3.0/9.2, 5.0/2.9/11.0, 4.9/2.8/30.1', 5.1],
  ['[12:00:00 INFO]: §6◴ §a61.5§7/§a3.0§7/§a9.2', 61.5],
  ['<Fen> Average time per tick: soon', null],
  ["Can't keep up! Is the server overloaded? Running 2050ms or 41 ticks behind", null],
])('%s tells %s', (text, ms) => {
  expect(tickTimeOf(text)).toBe(ms);
});

it('forgets what was told long ago', () => {
  const time = new TickTime();
  time.hear('Average time per tick: 40.0ms', 1_000);
  expect(time.at(150_000)).toBe(40);
  expect(time.at(152_000)).toBeNull();
});

it('asks once a minute, hides the answer only, and leaves another question alone', async () => {
  const written: string[] = [];
  const takes: Array<(text: string) => boolean> = [];
  const console = {
    isLeavingOut: false,
    leaveOut: (take: ((text: string) => boolean) | null) => void (take && takes.push(take)),
    endLeavingOut: () => {},
    writeUnseen: async (text: string) => {
      written.push(text);
      return false;
    },
  };
  let now = 1_000_000;
  const time = new TickTime();
  await time.ask(console, 'tick query', () => now);
  now += 59_000;
  await time.ask(console, 'tick query', () => now);
  expect(written).toEqual(['tick query']);
  const [take] = takes;
  expect(take!('Average time per tick: 12.5ms (Target: 50.0ms)')).toBe(true);
  expect(take!('Percentiles: P50: 4.0ms P95: 4.7ms P99: 5.1ms, sample: 100')).toBe(true);
  expect(take!('Fen joined the game')).toBe(false);
  expect(time.at(now)).toBe(12.5);
  now += 1_000;
  console.isLeavingOut = true;
  await time.ask(console, 'tick query', () => now);
  expect(written).toHaveLength(1);
});
