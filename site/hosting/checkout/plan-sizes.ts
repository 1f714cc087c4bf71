import { customGb, standardPlans } from '#db/money/billing/rules.ts';

/** Memory of everything that is sold, in GB, smallest first. */
export const soldSizes: readonly number[] = Array.from(
  { length: (customGb.most - customGb.least) / customGb.step + 1 },
  (_, at) => customGb.least + at * customGb.step,
);
const named: readonly number[] = Object.values(standardPlans).map(({ gb }) => gb);

/** Sizes of a custom plan that are listed: those without a plan of their own, and `chosen`, which somebody has already. */
export const customSizes = (chosen: number | null): number[] =>
  soldSizes.filter((gb) => gb === chosen || !named.includes(gb));
