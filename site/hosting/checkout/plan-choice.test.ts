import { expect, it } from 'vitest';
import { whyNotWanted } from '#db/money/billing/plan-change/rules.ts';
import { planChoiceOf, wantedOf } from './plan-choice.ts';
import { customSizes, soldSizes } from './plan-sizes.ts';

it('lists no custom size that has a plan of its own, but the one somebody has', () => {
  expect(soldSizes).toHaveLength(24);
  for (const gb of soldSizes)
    expect(whyNotWanted({ plan: 'custom', ram_gb: gb, interval: 'monthly' })).toBeNull();
  expect(customSizes(null).slice(0, 4)).toEqual([2, 10, 12, 14]);
  expect(customSizes(6).slice(0, 4)).toEqual([2, 6, 10, 12]);
});

it('reads a choice of an address, and nothing else', () => {
  const read = (text: string) => wantedOf(new URLSearchParams(text));
  expect(read('plan=custom&gb=10&interval=yearly')).toEqual({
    ...{ plan: 'custom', ram_gb: 10, interval: 'yearly', value: 'custom:10', gb: 10 },
  });
  // a form without scripts sends the memory of the custom plan along with every other one
  expect(read('plan=small&gb=10&interval=yearly')).toMatchObject({ value: 'small', ram_gb: null, gb: 4 });
  expect(planChoiceOf('custom:10')).toEqual({ plan: 'custom', ram_gb: 10 });
  for (const text of [
    '',
    'plan=small',
    'plan=trial&interval=monthly',
    'plan=small&interval=weekly',
    'plan=custom&gb=3&interval=monthly',
    'plan=custom&gb=x&interval=monthly',
  ])
    expect(read(text)).toBeNull();
});
