/** Imaginary cards of the test processor, by what they do; anything else is refused, so that no real one is typed. */
export const testCards = {
  '4242424242424242': { brand: 'Visa', does: 'succeeds' },
  '5555555555554444': { brand: 'Mastercard', does: 'succeeds' },
  '4000000000000002': { brand: 'Visa', does: 'declined' },
  '4000000000009995': { brand: 'Visa', does: 'insufficient_funds' },
  '4000000000000341': { brand: 'Visa', does: 'fails_later' },
  '4000000000003220': { brand: 'Visa', does: 'needs_time' },
} as const;
export type TestCard = (typeof testCards)[keyof typeof testCards]['does'];
