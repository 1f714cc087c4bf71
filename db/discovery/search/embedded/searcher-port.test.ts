import { pino } from 'pino';
import { expect, it } from 'vitest';
import { SearcherPort, WorkerFailed, WorkerGone } from './searcher-port.ts';

const lines: string[] = [];
const log = pino({}, { write: (line) => void lines.push(line) });

it('kills a thread that does not answer, and rejects its requests', async () => {
  const script = new URL('data:text/javascript,for(;;);');
  const port = new SearcherPort(log, { script, timeout_ms: 50 });
  const query = [port.request('shown', { ids: [] }), port.request('apply', { changes: [] })];
  for (const one of query) await expect(one).rejects.toThrow(WorkerGone);
  await port.ended;
  expect(port.exited).toBe(true);
  expect(lines.join()).toContain('does not answer');
  await expect(port.request('shown', { ids: [] })).rejects.toThrow(WorkerGone);
});

it('rejects a failed request and continues', async () => {
  const port = new SearcherPort(log);
  const wrong = port.request('adopt', { base: 'loaded', warm: null, dead: [], changes: [] });
  await expect(wrong).rejects.toThrow(WorkerFailed);
  expect(await port.request('shown', { ids: ['Unknown1'] })).toEqual([null]);
  const nothing = { segment: '/nowhere/segment', bodies: '/nowhere/bodies' };
  expect(await port.request('load', { as: 'base', files: nothing })).toMatchObject({
    refused: expect.stringContaining('ENOENT'),
  });
  await port.end();
});

it('answers what arrived meanwhile before a count', async () => {
  const port = new SearcherPort(log);
  const answered: string[] = [];
  const shown = async (name: string, ids: string[]) =>
    await port.request('shown', { ids }).then(() => answered.push(name));
  const count = async () =>
    await port.request('count', { query: { text: '', groups: [] } }).then(() => answered.push('count'));
  // long enough for the others to arrive
  const long = Array.from({ length: 500_000 }, (_, at) => `${at}`);
  await Promise.all([shown('long', long), count(), shown('short', [])]);
  expect(answered).toEqual(['long', 'short', 'count']);
  await port.end();
});
