import { expect, it } from 'vitest';
import { debugBundle } from './bundle.ts';

const made = new Date('2026-05-01T12:00:00Z');

it('has every part, without secrets in any of them', () => {
  const text = debugBundle({
    parts: [
      { title: 'Properties', lines: ['rcon.password=nine-stones', 'motd=ask ada@example.org'] },
      { title: 'Console', lines: ['Ada[/198.51.100.7:5000] typed nine-stones', '198.51.100.7 left'] },
      { title: 'Content', lines: [] },
    ],
    secrets: ['nine-stones'],
    made,
  });
  expect(text).toContain('== Properties ==\nrcon.password=<removed>\nmotd=ask <e-mail>\n');
  expect(text).toContain('== Console ==\nAda[/<address-1>:5000] typed <removed>\n<address-1> left\n');
  expect(text).toContain('== Content ==\n(nothing)');
});

it('keeps the end of a long console and the beginning of other long parts', () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => `line ${at}`);
  const text = debugBundle({
    parts: [
      { title: 'Console', lines, newest_last: true },
      { title: 'Content', lines },
    ],
    secrets: [],
    made,
  });
  expect(text.length).toBeLessThanOrEqual(300_000);
  const [console, content] = text.split('== Content ==');
  expect(console).toContain('line 29999\n');
  expect(console).not.toContain('line 1\n');
  expect(content).toContain('line 1\n');
  expect(content).not.toContain('line 29999');
});
