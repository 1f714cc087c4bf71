/** An error that only the operator can fix: printed as one line without a stack, and the exit code is 1. */
export class UserError extends Error {}
