/** From this part of a limit on, people are told. Source: screens §A.1. */
const near = 0.75;

/** How close `used` is to a limit: null while there is plenty of room. */
export function limitLevel(used: number, limit: number): 'near' | 'reached' | null {
  if (used >= limit) return 'reached';
  return used >= limit * near ? 'near' : null;
}
