import { expect, it } from 'vitest';
import { boundedForm, boundedJson } from './bounded-body.ts';

const read = (text: string) => boundedJson(text, 'the body');
const two_mebibytes = 2 * 1024 * 1024;
const fill = (part: string): string => part.repeat(Math.floor(two_mebibytes / part.length));

it('reads JSON, with brackets, colons and quotes in its texts', () => {
  const value = { a: ['[[{{::"', String.raw`\\"[`], b: { c: null, 'd:{': [1, 2] } };
  expect(read(JSON.stringify(value))).toEqual(value);
  const deep = `${'['.repeat(64)}${']'.repeat(64)}`;
  expect(read(deep)).toBeInstanceOf(Array);
  expect(
    read(JSON.stringify({ dependencies: Array.from({ length: 4_096 }, () => ({ a: 1, b: 2, c: 3, d: 4 })) })),
  ).toHaveProperty('dependencies');
});

it.each([
  ['brackets', fill('['), 'the body has more than 64 levels'],
  ['objects', fill('{"a":'), 'the body has more than 64 levels'],
  ['fields', `{${fill('"a":1,')}"b":1}`, 'the body has more than 25000 fields'],
  ['an open text', fill('"a\\'), 'the body is not valid JSON'],
  ['no JSON', 'x', 'the body is not valid JSON'],
])('refuses %s before others wait for it', (_, text, problem) => {
  const { user } = process.cpuUsage();
  expect(() => read(text)).toThrowError(
    expect.objectContaining({ code: 'invalid_input', data: { problem } }),
  );
  expect((process.cpuUsage().user - user) / 1000).toBeLessThan(100);
});

it('reads forms of 2,000 fields', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=a%26b`).join('&');
  expect(Object.keys(boundedForm(fields(2_000)))).toHaveLength(2_000);
  expect(boundedForm('a=%26&b=')).toEqual({ a: '&', b: '' });
  expect(() => boundedForm(fields(2_001))).toThrowError(expect.objectContaining({ code: 'invalid_input' }));
});
