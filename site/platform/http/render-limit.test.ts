import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { renderLimit } from './render-limit.ts';

function limit(count: string) {
  const settings = parseSettings({ RATE_LIMIT_PER_MINUTE: count });
  const answers: number[] = [];
  const res = {
    writeHead: (status: number) => {
      answers.push(status);
      return { end() {} };
    },
  } as unknown as ServerResponse;
  const sql = null as never; // counters are shared between processes half a second later
  const may = renderLimit({ settings, sql, now: () => new Date(1_000_000) });
  return { answers, ask: (network: string) => may(res, network) };
}

test('a network may make four times as many requests as the API allows, then gets 429; others are not affected', () => {
  const { ask, answers } = limit('2');
  expect(Array.from({ length: 9 }, () => ask('192.0.2.1'))).toEqual([...Array(8).fill(true), false]);
  expect(answers).toEqual([429]);
  expect(ask('192.0.2.2')).toBe(true);
});

test('pages have no limit when the API has none', () => {
  const { ask } = limit('0');
  expect(Array.from({ length: 5_000 }, () => ask('192.0.2.1')).every(Boolean)).toBe(true);
});
