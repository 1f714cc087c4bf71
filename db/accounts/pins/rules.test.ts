import { expect, it } from 'vitest';
import { max_pins, whyNotPin } from './rules.ts';

const own = new Set(['a', 'b', 'c', 'd', 'e', 'f', 'g']);

it('pins own projects only', () => {
  expect(whyNotPin([], own)).toBeNull();
  expect(whyNotPin(['b', 'a'], own)).toBeNull();
  expect(whyNotPin(['a', 'z'], own)).toBe('pin_unknown');
});

it(`pins at most ${max_pins}`, () => {
  expect(whyNotPin([...own].slice(0, max_pins), own)).toBeNull();
  expect(whyNotPin([...own], own)).toBe('limit_reached');
});
