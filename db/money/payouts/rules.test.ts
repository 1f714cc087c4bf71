import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../testing/soak.ts';
import { feeOf, feeRuleOf, grossOf, hasAmounts, limitsOf, type RuledMethod, whyNotAmount } from './rules.ts';

const kind = fc.constantFrom<Pick<RuledMethod, 'type' | 'category'>>(
  { type: 'paypal', category: 'paypal' },
  { type: 'venmo', category: 'paypal' },
  { type: 'tremendous', category: 'paypal' },
  { type: 'tremendous', category: 'bank' },
  { type: 'tremendous', category: 'gift_card' },
  { type: 'bank', category: 'bank' },
);
const country = fc.constantFrom('US', 'DE');
const minor = fc.oneof(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 12_000_000 }));
const range = fc.tuple(minor, minor).map(([one, other]) => ({
  ...{ min_minor: Math.min(one, other), max_minor: Math.max(one, other) },
}));
const values = fc
  .uniqueArray(minor, { minLength: 1, maxLength: 20 })
  .map((values_minor) => ({ values_minor }));

it('accepts each limit that it publishes, and the provider gets what is within its own', () => {
  fc.assert(
    fc.property(kind, country, range, fc.nat(), (method, where, interval, part) => {
      const ruled = { ...method, interval };
      const limits = limitsOf(ruled, where);
      if ('values_minor' in limits || !hasAmounts(limits)) return;
      const { min_minor, max_minor } = limits;
      const within = min_minor + (part % (max_minor - min_minor + 1));
      for (const amount of [min_minor, within, max_minor]) {
        expect(whyNotAmount(ruled, where, amount)).toBeNull();
        const net = amount - feeOf(feeRuleOf(ruled, where), amount);
        expect(net).toBeGreaterThanOrEqual(interval.min_minor);
        expect(net).toBeLessThanOrEqual(interval.max_minor);
      }
      for (const amount of [min_minor - 1, max_minor + 1])
        expect(whyNotAmount(ruled, where, amount)).not.toBeNull();
    }),
    { numRuns: propertyRuns(200) },
  );
});

it('adds the fee to fixed amounts, so that exactly these arrive', () => {
  fc.assert(
    fc.property(kind, country, values, (method, where, interval) => {
      const ruled = { ...method, interval };
      const limits = limitsOf(ruled, where);
      if (!('values_minor' in limits)) throw new Error('Fixed amounts became a range.');
      const nets = limits.values_minor.map((amount) => {
        expect(whyNotAmount(ruled, where, amount)).toBeNull();
        return amount - feeOf(feeRuleOf(ruled, where), amount);
      });
      expect(nets).toEqual(interval.values_minor);
    }),
    { numRuns: propertyRuns(200) },
  );
});

it('finds the least amount of which a sum is left', () => {
  fc.assert(
    fc.property(kind, country, minor, (method, where, net) => {
      const rule = feeRuleOf({ ...method, interval: { values_minor: [] } }, where);
      const gross = grossOf(rule, net);
      expect(gross - feeOf(rule, gross)).toBe(net);
      expect(gross - 1 - feeOf(rule, gross - 1)).toBeLessThan(net);
    }),
    { numRuns: propertyRuns(200) },
  );
});

it.each([
  ['a category of bank with 4 % and at least $0.25', 'bank', [500, 525], [200_000, 208_334]],
  ['one without a fee', 'gift_card', [500, 500], [200_000, 200_000]],
] as const)(
  'publishes of %s what leaves the balance',
  (_, category, [least, min_minor], [most, max_minor]) => {
    const method = { type: 'tremendous', category, interval: { min_minor: least, max_minor: most } } as const;
    expect(limitsOf(method, 'US')).toEqual({ min_minor, max_minor });
  },
);

it('has no amounts where a method takes less than may be withdrawn', () => {
  const least = {
    type: 'tremendous',
    category: 'paypal',
    interval: { min_minor: 1, max_minor: 10 },
  } as const;
  expect(hasAmounts(limitsOf(least, 'DE'))).toBe(false);
});
