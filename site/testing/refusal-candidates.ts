import type { Refusal } from './refusal-request.ts';
import { routes, type TestedRoute } from './refusal-routes.ts';
import { callers } from './refusal-world.ts';

/**
 * Requests that may be refused, each with one mistake, in a random order, fixed by the seed, that mixes all routes. The
 * recorder leaves out those that succeed.
 */
export function candidates(seed: number): Refusal[] {
  const random = randomOf(seed);
  const byRoute = routes.map((route) => shuffled(wrongOnes(route), random));
  const max = Math.max(...byRoute.map((list) => list.length));
  return Array.from({ length: max }, (_, turn) =>
    byRoute.flatMap((list) => list.slice(turn, turn + 1)),
  ).flat();
}

const wrongIds = [
  'zzzzzzzz',
  '{draft}',
  '{held}',
  '{other}',
  '{private_collection}',
  'not-there',
  '0',
  '-1',
  '%00',
  '%F0%9F%98%80',
  '%ff',
  'a%20b',
  '..%2F..',
  '%27%20or%201=1',
  '{a*300}',
];
const wrongValues: unknown[] = [
  1,
  -1,
  1e300,
  true,
  [],
  {},
  [null],
  [1],
  ['x', 'x'],
  '',
  ' ',
  'no such value',
  '{x*70000}',
  'a\u0000b',
  '\ud800',
  { a: { b: 1 } },
  null,
  ['{x*300}'],
  'javascript:alert(1)',
];
const wrongTexts = ['', '{', 'null', '[]', '"x"', '1', 'latin1:{"a":"\xff\xfe"}', '{"a":1}}', '{ *2200000}'];
const wrongQueries = [
  '',
  '[',
  '{}',
  '["{draft}"',
  'null',
  '[1]',
  '-1',
  '1e9',
  'NaN',
  '{x*3000}',
  '%00',
  '[[]]',
];
const wrongForms: Array<Refusal['form']> = [
  [],
  [['data', 'x', 'data.json']],
  [['file', 'x', 'a.jar']],
  [['data', '{']],
  [['data', '[]']],
  [['data', 'null']],
  [
    ['file', 'x', 'a.jar'],
    ['data', '{}'],
  ],
];

/** Every way in which a request of this route can be wrong, one at a time. */
function wrongOnes(route: TestedRoute): Refusal[] {
  const right = { method: route.method, path: route.path, caller: route.caller, ...route.body } as Refusal;
  return [
    ...callers.map((caller): Refusal => ({ ...right, caller })),
    ...(route.path.includes('{')
      ? wrongIds.map((id): Refusal => ({ ...right, path: right.path.replace(/\{\w+\}/, id) }))
      : []),
    ...wrongQueriesOf(right),
    ...wrongBodiesOf(right),
    { method: route.method === 'PATCH' ? 'PUT' : 'PATCH', path: right.path, caller: 'owner' },
  ];
}

function wrongQueriesOf(right: Refusal): Refusal[] {
  const [path, query] = right.path.split('?');
  const names = [...new URLSearchParams(query ?? '').keys()];
  return names.flatMap((name) => [
    { ...right, path: path! },
    ...wrongQueries.map((value) => ({ ...right, path: `${path}?${name}=${value}` })),
  ]);
}

function wrongBodiesOf(right: Refusal): Refusal[] {
  const { json, form, text, ...rest } = right;
  if (json !== undefined) {
    const type = { headers: { 'content-type': 'application/json' } };
    return [
      ...spoiled(json).map((one): Refusal => ({ ...rest, json: one })),
      ...wrongTexts.map((one): Refusal => ({ ...rest, text: one, ...type })),
      { ...rest, form: [['data', JSON.stringify(json)]] },
    ];
  }
  if (form) {
    const [[name, data], ...files] = form as [[string, string], ...NonNullable<Refusal['form']>];
    return [
      ...spoiled(JSON.parse(data)).map(
        (one): Refusal => ({ ...rest, form: [[name, JSON.stringify(one)], ...files] }),
      ),
      ...wrongForms.map((one): Refusal => ({ ...rest, form: one! })),
      { ...rest, form: [[name, data]] },
      { ...rest, form: [[name, data], ...files, ...files] },
      {
        ...rest,
        form: [
          [name, data],
          ['other', 'x', 'other.jar'],
        ],
      },
      ...['a.exe', '../a.jar', 'CON', '', 'a\u0000.jar', '{a*300}.jar'].map(
        (filename): Refusal => ({
          ...rest,
          form: [
            [name, data],
            ['file', 'x', filename],
          ],
        }),
      ),
      { ...rest, json: JSON.parse(data) },
      { ...rest, text: '--b\r\n', headers: { 'content-type': 'multipart/form-data' } },
      { ...rest, text: '--b\r\n\r\n', headers: { 'content-type': 'multipart/form-data; boundary=b' } },
    ];
  }
  if (text !== undefined) return wrongTexts.map((one): Refusal => ({ ...right, text: one }));
  return [];
}

/** The object with one field wrong or left out. */
function spoiled(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const fields = Object.entries(value);
  return fields.flatMap(([name]) => [
    Object.fromEntries(fields.filter(([other]) => other !== name)),
    ...wrongValues.map((wrong) => ({ ...value, [name]: wrong })),
  ]);
}

/** Mulberry32: deterministic numbers from 0 up to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffled<T>(list: T[], random: () => number): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(Math.floor(random() * rest.length), 1)[0]!);
}
