import { describe, expect, it } from 'vitest';
import { allOf, keptIn, moved, noneOf, noSelection, pressed, type Selection, toggled } from './selection.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const plain = { toggle: false, range: false };
const chosen = ({ chosen: set }: Selection) => [...set].sort().join('');

describe('a selection', () => {
  it('is one row after a click, and more with Ctrl', () => {
    const one = pressed(noSelection, names, 'b', plain);
    expect(chosen(one)).toBe('b');
    const two = pressed(one, names, 'd', { ...plain, toggle: true });
    expect(chosen(two)).toBe('bd');
    expect(chosen(pressed(two, names, 'b', { ...plain, toggle: true }))).toBe('d');
    expect(chosen(pressed(two, names, 'a', plain))).toBe('a');
  });

  it('is a range with Shift, from where the last click was, in both directions', () => {
    const from = pressed(noSelection, names, 'c', plain);
    const down = pressed(from, names, 'e', { ...plain, range: true });
    expect(chosen(down)).toBe('cde');
    expect(chosen(pressed(down, names, 'a', { ...plain, range: true }))).toBe('abc');
    expect(chosen(pressed(noSelection, names, 'd', { ...plain, range: true }))).toBe('d');
    const apart = pressed(pressed(noSelection, names, 'a', plain), names, 'd', { ...plain, toggle: true });
    expect(chosen(pressed(apart, names, 'e', { toggle: true, range: true }))).toBe('ade');
  });

  it('follows the arrow keys only with Shift', () => {
    const start = moved(noSelection, names, 1, false);
    expect(start.focus).toBe('a');
    expect(chosen(start)).toBe('');
    const grown = moved(moved(start, names, 1, true), names, 1, true);
    expect(chosen(grown)).toBe('abc');
    expect(chosen(moved(grown, names, -1, true))).toBe('ab');
    expect(moved({ ...start, focus: 'e' }, names, 1, false).focus).toBe('e');
    expect(moved({ ...start, focus: 'b' }, names, -100, false).focus).toBe('a');
    expect(moved(noSelection, names, -1, false).focus).toBe('e');
    expect(moved(noSelection, [], 1, false)).toBe(noSelection);
  });

  it('is everything, or nothing', () => {
    expect(chosen(allOf(noSelection, names))).toBe('abcde');
    expect(chosen(noneOf(allOf(noSelection, names)))).toBe('');
    expect(chosen(toggled(allOf(noSelection, names), 'c'))).toBe('abde');
  });

  it('keeps what is left of the list, and the place of the keyboard', () => {
    const now: Selection = { chosen: new Set(['b', 'c']), anchor: 'c', focus: 'c' };
    const kept = keptIn(now, names, ['a', 'b', 'd', 'e']);
    expect(chosen(kept)).toBe('b');
    expect([kept.anchor, kept.focus]).toEqual([null, 'd']);
    expect(keptIn({ ...now, focus: 'e' }, names, ['a']).focus).toBe('a');
    expect(keptIn(now, names, []).focus).toBe(null);
    expect(keptIn({ ...now, focus: null }, names, ['a']).focus).toBe(null);
  });
});
