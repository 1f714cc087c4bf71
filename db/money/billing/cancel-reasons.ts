/** Why somebody cancels, of which they may name one. */
export const cancelReasons = [
  'price',
  'unused',
  'missing',
  'problems',
  'elsewhere',
  'pause',
  'other',
] as const;
export type CancelReason = (typeof cancelReasons)[number];
/** Characters of what they add in their own words. */
export const maxCancelNote = 500;

/** What somebody says who cancels: both are optional, and null where nothing was said. */
export interface CancelAnswer {
  cancel_reason: CancelReason | null;
  /** At most `maxCancelNote` characters. */
  cancel_note: string | null;
}
