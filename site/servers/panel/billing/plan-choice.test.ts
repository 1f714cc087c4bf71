import { expect, it } from 'vitest';
import { whyNotWanted } from '#db/billing/plan-change/rules.ts';
import { planChoiceOf, planChoices, wantedOf } from './plan-choice.ts';

it('offers only what is sold, smallest first', () => {
  for (const { value } of planChoices)
    expect([value, whyNotWanted({ ...planChoiceOf(value), interval: 'monthly' })]).toEqual([value, null]);
  expect(planChoices.map(({ value }) => value).slice(0, 5)).toEqual([
    ...['custom:2', 'small', 'custom:4', 'medium', 'custom:6'],
  ]);
});

it('reads a choice of an address, and nothing else', () => {
  const read = (text: string) => wantedOf(new URLSearchParams(text));
  expect(read('plan=custom:10&interval=yearly')).toEqual({
    ...{ plan: 'custom', ram_gb: 10, interval: 'yearly', value: 'custom:10' },
  });
  for (const text of [
    '',
    'plan=small',
    'plan=trial&interval=monthly',
    'plan=small&interval=weekly',
    'plan=custom:3&interval=monthly',
  ])
    expect(read(text)).toBeNull();
});
