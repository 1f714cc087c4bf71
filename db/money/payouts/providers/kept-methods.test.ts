import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Refused } from '../../../platform/errors.ts';
import { ScriptedPayouts } from '../../../testing/payouts.ts';
import { withKeptMethods } from './kept-methods.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(1); // the cache takes 0 for no time
});
afterEach(() => void vi.useRealTimers());

/** A provider that counts how often it is asked, and how many at once. */
function counting() {
  const counts = { asked: 0, running: 0, most: 0, away: false };
  const scripted = new ScriptedPayouts();
  const methods = async () => {
    counts.asked += 1;
    counts.running += 1;
    counts.most = Math.max(counts.most, counts.running);
    await Promise.resolve();
    counts.running -= 1;
    if (counts.away) throw new Refused('payouts_unreachable');
    return await scripted.methods();
  };
  const provider = withKeptMethods({ ...scripted, list: scripted.list, methods });
  return { counts, provider };
}

it('asks a provider once for a country in some minutes, whoever comes', async () => {
  const { counts, provider } = counting();
  await Promise.all(Array.from({ length: 20 }, () => provider.methods('DE')));
  expect((await provider.methods('DE'))[0]!.id).toBe('paypal');
  expect(counts.asked).toBe(1);
  await provider.methods('US');
  expect(counts.asked).toBe(2);
  vi.advanceTimersByTime(5 * 60_000 + 1);
  await provider.methods('DE');
  expect(counts.asked).toBe(3);
});

it('shares a failure, and asks again soon', async () => {
  const { counts, provider } = counting();
  counts.away = true;
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => provider.methods('DE')));
  await expect(provider.methods('DE')).rejects.toMatchObject({ code: 'payouts_unreachable' });
  expect([all.every(({ status }) => status === 'rejected'), counts.asked]).toEqual([true, 1]);
  counts.away = false;
  vi.advanceTimersByTime(10_001);
  expect(await provider.methods('DE')).toHaveLength(1);
});

it('asks for two countries at once, the others in turn, and for the same ones no more', async () => {
  const { counts, provider } = counting();
  const countries = Array.from({ length: 40 }, (_, at) => `C${at}`);
  await Promise.all(countries.map((one) => provider.methods(one)));
  await Promise.all(countries.map((one) => provider.methods(one)));
  expect([counts.asked, counts.most]).toEqual([40, 2]);
});
