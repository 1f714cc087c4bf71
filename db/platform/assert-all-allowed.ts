import { assertAllowed, type RefusalCode } from './errors.ts';

/** Throws `Refused` with the first of the codes, and all of them in `data.reasons` when there are several. */
export function assertAllAllowed(codes: ReadonlyArray<RefusalCode | null>): void {
  const reasons = codes.filter((code) => code !== null);
  assertAllowed(reasons[0] ?? null, reasons.length > 1 ? { reasons } : {});
}
