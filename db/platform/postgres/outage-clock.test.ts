import { expect, test } from 'vitest';
import { OutageClock, patience_ms, tick_ms } from './outage-clock.ts';

const silence = (clock: OutageClock, ms: number) => {
  for (let passed = 0; passed < ms; passed += tick_ms) clock.tick();
};

test('Postgres is away after a second without an answer, since the question', () => {
  const clock = new OutageClock();
  clock.asked(0);
  clock.answered(5);
  clock.asked(500);
  silence(clock, patience_ms - tick_ms);
  expect(clock.away_since).toBeNull();
  silence(clock, tick_ms);
  expect(clock.away_since).toBe(500);
});

test('silence without a question says nothing', () => {
  const clock = new OutageClock();
  clock.asked(0);
  clock.answered(5);
  silence(clock, 10 * patience_ms);
  expect(clock.away_since).toBeNull();
});

test('an answer on another connection counts, and moves the beginning of the outage', () => {
  const clock = new OutageClock();
  clock.asked(500);
  silence(clock, patience_ms - tick_ms);
  clock.heard(1400);
  silence(clock, patience_ms - tick_ms);
  expect(clock.away_since).toBeNull();
  silence(clock, tick_ms);
  expect(clock.away_since).toBe(1400);
});

test('a refused connection counts at once, and later refusals do not move the beginning', () => {
  const clock = new OutageClock();
  clock.heard(90);
  clock.refused(100);
  clock.refused(600);
  expect(clock.away_since).toBe(100);
  clock.heard(700); // what an old connection had buffered is no answer
  expect(clock.away_since).toBe(100);
});

test('an answer ends the outage, and the next one begins anew', () => {
  const clock = new OutageClock();
  clock.refused(100);
  clock.asked(600);
  clock.answered(610);
  expect(clock.away_since).toBeNull();
  clock.asked(1100);
  silence(clock, patience_ms);
  expect(clock.away_since).toBe(1100);
});

test('questions that follow do not make the first one younger', () => {
  const clock = new OutageClock();
  clock.asked(0);
  silence(clock, patience_ms / 2);
  clock.asked(500);
  silence(clock, patience_ms / 2);
  expect(clock.away_since).toBe(0);
});
