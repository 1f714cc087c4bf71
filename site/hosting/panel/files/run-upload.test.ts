import { expect, it } from 'vitest';
import { type ApiResult, offline } from '../../../platform/browser/api-client.ts';
import { runUpload, type SendResult, type UploadTransport } from './run-upload.ts';
import { canBecome, type UploadState } from './upload-queue.ts';

const refused = (status: number, code: string, details = {}): ApiResult<never> => ({
  ok: false,
  error: { status, code, description: `says ${code}`, details },
});
const cut: SendResult = { ok: false, status: 0, text: '' };

/** A world in which the steps answer in this order; the last answer of each repeats. */
function world(answers: {
  begin?: ApiResult<{ address: string; offset: number }>[];
  send?: SendResult[];
  place?: Awaited<ReturnType<UploadTransport['place']>>[];
  readable?: boolean;
}) {
  const log: string[] = [];
  const begin = answers.begin ?? [{ ok: true, data: { address: '/u/1', offset: 0 } }];
  const send = answers.send ?? [{ ok: true }];
  const place = answers.place ?? [{ ok: true, data: { path: 'a', entry: null } }];
  const next = <T>(list: T[]): T => (list.length > 1 ? list.shift()! : list[0]!);
  const step = <T>(name: string, list: T[]): T => {
    log.push(name);
    return next(list);
  };
  const transport: UploadTransport = {
    begin: async () => step('begin', begin),
    send: async () => step('send', send),
    place: async (choice) => step(`place ${choice}`, place),
    wait: async (attempt, least_ms) => void log.push(`wait ${attempt} ${least_ms}`),
    isReadable: async () => answers.readable ?? true,
  };
  return { log, transport };
}
const run = (
  transport: UploadTransport,
  choice: 'replace' | null = null,
  signal = new AbortController().signal,
) => runUpload(transport, choice, signal, () => undefined);

it('begins, sends and places a file', async () => {
  const { log, transport } = world({});
  expect(await run(transport, 'replace')).toEqual({ end: 'done', path: 'a' });
  expect(log).toEqual(['begin', 'send', 'place replace']);
});

it('goes on after the line was cut, at any step', async () => {
  const { log, transport } = world({
    begin: [offline, { ok: true, data: { address: '/u/1', offset: 0 } }],
    send: [cut, cut, { ok: true }],
    place: [offline, { ok: true, data: { path: 'a', entry: null } }],
  });
  const told: string[] = [];
  const end = await runUpload(transport, null, new AbortController().signal, (state) => told.push(state));
  expect(end).toEqual({ end: 'done', path: 'a' });
  expect(log).toEqual([
    ...['begin', 'wait 0 0', 'begin', 'send', 'wait 1 0', 'begin', 'send', 'wait 2 0'],
    ...['begin', 'send', 'place null', 'wait 3 0', 'place null'],
  ]);
  expect(told).toEqual([
    ...['waiting', 'sending', 'sending', 'waiting', 'sending', 'waiting', 'sending'],
    ...['placing', 'waiting', 'placing'],
  ]);
  // the queue takes each of them after the one before, and the end after the last
  const states = ['sending', ...told, 'done'] as UploadState[];
  const refusedMoves = states.slice(1).filter((to, i) => !canBecome(states[i]!, to));
  expect(refusedMoves).toEqual([]);
});

it('is done when the answer to its last step was lost', async () => {
  const { transport } = world({ place: [offline, refused(404, 'upload_not_found')] });
  expect(await run(transport)).toEqual({ end: 'done', path: '' });
  const lost = world({ place: [refused(404, 'upload_not_found')] });
  expect(await run(lost.transport)).toMatchObject({ end: 'failed', code: 'upload_not_found' });
});

it('waits as long as it is told when it goes too fast', async () => {
  const { log, transport } = world({
    begin: [
      refused(429, 'too_fast', { retry_after_ms: 700 }),
      { ok: true, data: { address: '/u/1', offset: 0 } },
    ],
  });
  await run(transport);
  expect(log[1]).toBe('wait 0 700');
});

it('asks for a choice when something is there, and fails if it was to be replaced and could not', async () => {
  const there = [refused(409, 'file_exists')];
  expect(await run(world({ place: [...there] }).transport)).toEqual({ end: 'conflict' });
  expect(await run(world({ place: [...there] }).transport, 'replace')).toMatchObject({ end: 'failed' });
});

it('begins again when its address is gone, a few times', async () => {
  const gone: SendResult = { ok: false, status: 404, text: '' };
  const once = world({ send: [gone, { ok: true }] });
  expect(await run(once.transport)).toMatchObject({ end: 'done' });
  expect(once.log.filter((step) => step === 'begin')).toHaveLength(2);
  const always = world({ send: [gone] });
  expect(await run(always.transport)).toMatchObject({ end: 'failed', code: 'upload_not_found' });
  expect(always.log.filter((step) => step === 'begin')).toHaveLength(5);
});

it('ends with what the server says, and when the file is gone from the disk', async () => {
  expect(await run(world({ begin: [refused(507, 'disk_full')] }).transport)).toEqual({
    ...{ end: 'failed', code: 'disk_full', text: 'says disk_full' },
  });
  const large = world({ send: [{ ok: false, status: 413, text: 'Too large' }] });
  expect(await run(large.transport)).toEqual({ end: 'failed', code: 'refused', text: 'Too large' });
  const old = world({ begin: [refused(503, 'agent_outdated')] });
  expect(await run(old.transport)).toMatchObject({ end: 'failed', code: 'agent_outdated' });
  const gone = world({ send: [cut], readable: false });
  expect(await run(gone.transport)).toEqual({ end: 'failed', code: 'file_unreadable', text: '' });
});

it('stops at once when it is paused or cancelled', async () => {
  const stop = new AbortController();
  const { log, transport } = world({ send: [cut] });
  transport.wait = async () => stop.abort();
  expect(await run(transport, null, stop.signal)).toEqual({ end: 'stopped' });
  expect(log).toEqual(['begin', 'send']);
});
