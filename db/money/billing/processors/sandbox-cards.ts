/** Imaginary cards of the sandbox and what they do; any other number is refused, so that nobody types a real one. */
export const sandboxCards = {
  '4242424242424242': { brand: 'Visa', does: 'succeeds' },
  '5555555555554444': { brand: 'Mastercard', does: 'succeeds' },
  '4000000000000002': { brand: 'Visa', does: 'declined' },
  '4000000000009995': { brand: 'Visa', does: 'insufficient_funds' },
  '4000000000000341': { brand: 'Visa', does: 'fails_later' },
  '4000000000003220': { brand: 'Visa', does: 'needs_time' },
} as const;
/** The same as people choose among them, without their full numbers. */
export const sandboxChoices = Object.entries(sandboxCards).map(([number, { brand, does }]) => ({
  number,
  brand,
  does,
  digits: number.slice(-4),
}));

export type SandboxOutcome = (typeof sandboxCards)[keyof typeof sandboxCards]['does'];
