import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from './api.ts';
import { candidates } from './refusal-candidates.ts';
import { isRefused, type Refusal, send } from './refusal-request.ts';
import { refusalWorld, type World } from './refusal-world.ts';

/**
 * Replays requests that were refused at commit 482a0b3: code and status stay the same, except for the exceptions below.
 * To add requests after new routes (refusal-routes.ts), run this file with `RECORD_REFUSALS=1`: recorded answers stay
 * as they are. Source: decisions §5.5.
 */
const file = new URL('./refusals.json', import.meta.url);
const recording = process.env.RECORD_REFUSALS !== undefined;
const requested = 520;
const seed = 10;
/** Maximum number of requests with the same answer of the same route, to leave room for rarer answers. */
const most_alike = 3;

/** The answer of a request that has changed since, and why. */
const exceptionOf = ({
  method,
  path,
  caller,
  answer = '',
}: Refusal): { finding: string; answer: string } | null => {
  if (method === 'GET') return null;
  if (path.startsWith('/_internal/'))
    return withTokenOnly.includes(caller)
      ? { finding: 'forms take no token', answer: '401 auth_error form_with_token' }
      : null;
  const told = answer.endsWith('not_a_member') || (path.endsWith('/follow') && answer.startsWith('404'));
  if (!told || !/\{(draft|held)\}/.test(path)) return null;
  if (/\}$/.test(path) && method === 'DELETE') return null; // a missing project is 401 there too
  const missing = /\/(icon|follow)\b/.test(path) ? '400 request_error project_unknown' : '404';
  return { finding: 'hidden projects look absent', answer: missing };
};
const withTokenOnly: readonly string[] = ['unknown token', 'odd token', 'expired', 'narrow'];

const keyOf = ({ answer: _, ...request }: Refusal): string => JSON.stringify(request);
const kindOf = ({ method, path, answer }: Refusal): string => `${method} ${path.split('?')[0]} ${answer}`;
const recorded = (): Refusal[] => JSON.parse(readFileSync(file, 'utf8')) as Refusal[];

describe.skipIf(!recording)('the recorder', () => {
  const database = testDatabase();
  const api = testApi(database);

  test('adds refused requests until there are enough', { timeout: 600_000 }, async () => {
    let world = await refusalWorld(database.sql);
    const list = recorded();
    const known = new Set(list.map(keyOf));
    for (const [place, candidate] of candidates(seed).entries()) {
      if (list.length >= requested) break;
      if (known.has(keyOf(candidate))) continue;
      known.add(keyOf(candidate));
      const answer = await send(api, world, candidate, place);
      if (isRefused(answer)) {
        const alike = list.filter((one) => kindOf(one) === kindOf({ ...candidate, answer }));
        if (alike.length < most_alike) list.push({ ...candidate, answer });
      } else {
        // it succeeded, and may affect the next requests
        world = await refusalWorld(database.sql);
      }
    }
    writeFileSync(file, `[\n${list.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`);
  });
});

describe('recorded refusals', () => {
  const database = testDatabase();
  const api = testApi(database);
  let world: World;
  beforeAll(async () => {
    world = await refusalWorld(database.sql);
  });

  test('are refused with the same status and code', { timeout: 300_000 }, async () => {
    const list = recorded();
    expect(list.length).toBeGreaterThanOrEqual(500);
    const before: Record<string, string> = {};
    const now: Record<string, string> = {};
    for (const [place, refusal] of list.entries()) {
      const key = keyOf(refusal);
      before[key] = exceptionOf(refusal)?.answer ?? refusal.answer!;
      now[key] = await send(api, world, refusal, place);
    }
    expect(now).toEqual(before);
  });
});
