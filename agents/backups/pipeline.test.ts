import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startPipeline } from './pipeline.ts';

it('keeps what programs wrote until somebody reads, also after they ended', async () => {
  const { signal } = new AbortController();
  const running = startPipeline([['printf', 'all of it'], ['cat']], { signal });
  running.input.end();
  await pause(500);
  let text = '';
  for await (const chunk of running.output) text += chunk;
  expect(text).toBe('all of it');
  expect((await running.ended).exits).toEqual([0, 0]);
});

it('ends what is being read when it is killed', async () => {
  const { signal } = new AbortController();
  const running = startPipeline([['cat']], { signal });
  const read = (async () => {
    for await (const _ of running.output);
  })();
  running.kill();
  await expect(read).rejects.toThrow();
  await running.ended;
});
