import { expect, it } from 'vitest';
import { sampleOf, seedsOf, slowSeeds } from '../../../testing/linear-time.ts';
import { propertyRuns } from '../../../testing/soak.ts';
import { analyseLogs } from '../crashes/analyse.ts';
import { crashRules } from '../crashes/data/causes.ts';
import { createRedactor } from './redact.ts';

/**
 * Text of strangers is read in linear time. Each pattern with its own letters is measured for the whole product
 * (`bin/architecture/regex/linear-time.slow.test.ts`); here is what they do one after the other.
 */
const words = [
  'password',
  'secret',
  'token',
  'api_key',
  'authorization',
  'bearer ',
  '/login ',
  'eyJ',
  '::',
  '1.',
  'a@',
  '-----BEGIN ',
];
const texts = [...words, ...words.flatMap((word) => seedsOf(word))];

it('a redactor takes linear time with whatever is repeated', () => {
  expect(
    slowSeeds(createRedactor({ secrets: ['hunter2hunter2'] }), sampleOf(texts, propertyRuns(12))),
  ).toEqual([]);
}, 120_000);

it('a log is analysed in linear time with whatever is repeated', () => {
  const literals = new Set(crashRules.flatMap(({ patterns: all }) => all.map(({ has }) => `${has}\n`)));
  const analyse = (text: string) => analyseLogs([{ path: null, text }]);
  expect(slowSeeds(analyse, sampleOf([...literals], propertyRuns(12)))).toEqual([]);
}, 120_000);
