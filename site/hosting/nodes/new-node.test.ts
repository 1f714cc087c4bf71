import { expect, it } from 'vitest';
import { emptyNode, isWithin, numberFields, requestOf } from './new-node.ts';

it('takes numbers within bounds, and nothing where all of the machine is meant', () => {
  const fits = (text: string) => isWithin(text, numberFields.ram_gb);
  expect(['', '1', '65536'].map(fits)).toEqual([true, true, true]);
  expect(['0', '1.5', 'two', '65537', '1e9'].map(fits)).toEqual([false, false, false, false, false]);
  expect(isWithin('', numberFields.port_from)).toBe(false);
  expect(isWithin('1.5', numberFields.overcommit)).toBe(true);
});

it('sends what was typed, as numbers, without what was left empty', () => {
  const typed = { ...emptyNode, name: ' stone-1 ', public_address: ' a.example ', ram_gb: '6' };
  expect(requestOf(typed)).toEqual({
    ...{ name: 'stone-1', region: emptyNode.region, public_address: 'a.example', bind_address: '0.0.0.0' },
    ...{ port_from: 25_600, port_to: 25_999, overcommit: 1, ram_gb: 6 },
  });
});
