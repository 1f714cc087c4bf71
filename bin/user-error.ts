/** Something only the person who started us can mend: shown as it is, without a stack, and the exit code is 1. */
export class UserError extends Error {}
