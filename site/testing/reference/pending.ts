/** Operations of this round that are not served yet; must be empty at the end of it. */
export const pending: readonly string[] = [];
