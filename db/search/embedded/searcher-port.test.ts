import { pino } from 'pino';
import { expect, it } from 'vitest';
import { SearcherFailed, SearcherGone, SearcherPort } from './searcher-port.ts';

const lines: string[] = [];
const log = pino({}, { write: (line) => void lines.push(line) });

it('ends a thread that does not answer, and whoever asked it learns that', async () => {
  const script = new URL('data:text/javascript,for(;;);');
  const port = new SearcherPort(log, { script, patience_ms: 50 });
  const asked = [port.ask('shown', { ids: [] }), port.ask('apply', { changes: [] })];
  for (const one of asked) await expect(one).rejects.toThrow(SearcherGone);
  await port.ended;
  expect(port.gone).toBe(true);
  expect(lines.join()).toContain('does not answer');
  await expect(port.ask('shown', { ids: [] })).rejects.toThrow(SearcherGone);
});

it('tells who asked that a request failed, and goes on', async () => {
  const port = new SearcherPort(log);
  const wrong = port.ask('adopt', { base: 'loaded', warm: null, dead: [], changes: [] });
  await expect(wrong).rejects.toThrow(SearcherFailed);
  expect(await port.ask('shown', { ids: ['Unknown1'] })).toEqual([null]);
  const nothing = { segment: '/nowhere/segment', bodies: '/nowhere/bodies' };
  expect(await port.ask('load', { as: 'base', files: nothing })).toMatchObject({
    refused: expect.stringContaining('ENOENT'),
  });
  await port.end();
});
