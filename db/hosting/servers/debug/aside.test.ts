import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { debugBundleAside } from './aside.ts';

const made = new Date('2026-05-01T12:00:00Z');

test('a server with thousands of secrets and a full console stops nobody but who asks for its bundle', async () => {
  const secrets = Array.from({ length: 20_000 }, (_, at) => `s${at.toString(36).padStart(5, '0')}`);
  const lines = Array.from({ length: 500 }, () => 's'.repeat(8_190));
  const before = performance.eventLoopUtilization();
  const asked = debugBundleAside({ parts: [{ title: 'Console', lines }], secrets, made });
  // a fast machine is done within the limit, a slow one stops
  const text = await asked.catch((refusal: unknown) => {
    expect(refusal).toMatchObject({ code: 'reading_stopped' });
  });
  if (text) expect(text).toContain('Console');
  // the share of the time that this thread was busy with it, of 1: nearly all of it when the work is done here
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
}, 60_000);

test('gives the text of a bundle', async () => {
  const parts = [{ title: 'Console', lines: ['typed nine-stones'] }];
  expect(await debugBundleAside({ parts, secrets: ['nine-stones'], made })).toContain('typed <removed>\n');
});
