import { expect, it } from 'vitest';
import { none } from '../test-outcome.ts';
import { type SoakPart, soakParts } from './parts.ts';
import { partLine, verdict } from './verdict.ts';

const part = (name: string): SoakPart => soakParts.find((one) => one.name === name)!;
const fine = { outcome: { ...none, passed: 2 }, minutes: 1.26 };
const broken = { outcome: { ...none, passed: 1, failed: [{ name: 'a test', why: 'lost' }] }, minutes: 4 };

it('ends with one line that counts parts and names those that failed', () => {
  const outcomes = [
    { part: part('planes'), ...fine },
    { part: part('moves'), ...broken },
    { part: part('year'), ...broken },
  ];
  expect(verdict(outcomes)).toBe('soak parts: 1 passed, 2 failed: moves, year');
  expect(verdict(outcomes.slice(0, 1))).toBe('soak parts: 1 passed, 0 failed');
});

it('says how a part that failed is repeated: by its seed, and its number where it has one', () => {
  const wanted = { seed: 7, operations: 12 };
  expect(partLine({ part: part('moves'), ...fine }, wanted)).toBe(
    'soak moves: 2 passed, 0 failed in 1.3 min',
  );
  expect(partLine({ part: part('moves'), ...broken }, wanted)).toBe(
    'soak moves: 1 passed, 1 failed in 4.0 min; to repeat: npm run soak -- moves --seed 7 --operations 12',
  );
  expect(partLine({ part: part('moves'), ...broken }, { seed: 7, operations: null })).toMatch(/ --seed 7$/);
  expect(partLine({ part: part('planes'), ...broken }, wanted)).toMatch(/ --seed 7$/);
});
