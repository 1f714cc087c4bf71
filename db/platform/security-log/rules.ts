/** What the log of security knows. */
export const securityKinds = [
  'sign_in',
  'sign_in_failed',
  'proof',
  'proof_failed',
  'new_network',
  'rights_changed',
] as const;
export type SecurityKind = (typeof securityKinds)[number];

/** How long it is kept, in days: 13 months. */
export const security_log_days = 396;
