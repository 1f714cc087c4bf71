import { expect, it } from 'vitest';
import { motdOf, type Sleep, whyNotSleep } from './rules.ts';

it.each<[string, Partial<Sleep>, string | null]>([
  ['never', { after_minutes: null }, null],
  ['5 minutes', { after_minutes: 5 }, null],
  ['240 minutes', { after_minutes: 240 }, null],
  ['4 minutes', { after_minutes: 4 }, 'sleep_minutes_out_of_range'],
  ['241 minutes', { after_minutes: 241 }, 'sleep_minutes_out_of_range'],
  ['half a minute more', { after_minutes: 5.5 }, 'sleep_minutes_out_of_range'],
  ['what is no number', { after_minutes: Number.NaN }, 'sleep_minutes_out_of_range'],
  ['two lines', { motd: '§6Asleep\r\nJoin to wake it\n\n' }, null],
  ['three lines', { motd: 'a\nb\nc' }, 'sleep_text_invalid'],
  ['a line that is too long', { motd: 'x'.repeat(101) }, 'sleep_text_invalid'],
  ['a bell', { motd: 'ding\u0007' }, 'sleep_text_invalid'],
  ['half a character', { motd: '\ud800' }, 'sleep_text_invalid'],
])('%s: %s %s', (_, change, code) => {
  expect(whyNotSleep({ after_minutes: 15, motd: '', ...change })?.code ?? null).toBe(code);
});

it('stores lines without space around them', () => {
  expect(motdOf('  a \r\n b  \n\n ')).toBe('a\nb');
  expect(motdOf(' \n ')).toBe('');
});
