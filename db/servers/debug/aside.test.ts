import { expect, test } from 'vitest';
import { debugBundleAside } from './aside.ts';

const made = new Date('2026-05-01T12:00:00Z');

test('a server with thousands of secrets and a full console stops nobody but who asks for its bundle', async () => {
  const secrets = Array.from({ length: 20_000 }, (_, at) => `s${at.toString(36).padStart(5, '0')}`);
  const lines = Array.from({ length: 500 }, () => 's'.repeat(8_190));
  let late_ms = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    late_ms = Math.max(late_ms, now - last - 20);
    last = now;
  }, 20);
  const asked = debugBundleAside({ parts: [{ title: 'Console', lines }], secrets, made });
  await expect(asked).rejects.toMatchObject({ code: 'reading_stopped' });
  clearInterval(timer);
  expect(late_ms).toBeLessThan(1_500);
}, 30_000);

test('gives the text of a bundle', async () => {
  const parts = [{ title: 'Console', lines: ['typed nine-stones'] }];
  expect(await debugBundleAside({ parts, secrets: ['nine-stones'], made })).toContain('typed <removed>\n');
});
