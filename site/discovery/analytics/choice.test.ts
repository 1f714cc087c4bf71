import { expect, it } from 'vitest';
import { type Choice, firstChoice, parseChoice, queryOf, shownBreakdown } from './choice.ts';

const known = ['AAAA', 'BBBB', 'CCCC'];
const parse = (text: string) => parseChoice(new URLSearchParams(text), known);

it('a choice and its address say the same', () => {
  const choice: Choice = {
    range: 'last-quarter',
    metric: 'views',
    projects: ['AAAA', 'CCCC'],
    by: 'country',
    form: 'table',
    compare: false,
    total: true,
  };
  const query = queryOf(choice, 3, new URLSearchParams('hl=de-DE&range=hour'));
  expect(query).toBe(
    '?hl=de-DE&range=last-quarter&metric=views&by=country&form=table&projects=AAAA,CCCC&compare=0&total=1',
  );
  expect(parse(query)).toEqual(choice);
});

it('what is shown at first has a bare address', () => {
  expect(queryOf(firstChoice(3), 3, new URLSearchParams())).toBe('');
  expect(parse('')).toEqual(firstChoice(3));
  expect(firstChoice(1).by).toBe('version');
});

it('unknown values and projects count as absent', () => {
  expect(
    parse('range=century&metric=constructor&projects=ZZZZ,BBBB,&form=pie&by=__proto__&compare=yes'),
  ).toEqual({
    ...firstChoice(3),
    projects: ['BBBB'],
  });
});

it('a metric that has no such breakdown shows countries', () => {
  expect(shownBreakdown({ metric: 'views', by: 'version' })).toBe('country');
  expect(shownBreakdown({ metric: 'downloads', by: 'version' })).toBe('version');
  expect(shownBreakdown({ metric: 'playtime', by: 'source' })).toBe('country');
});
