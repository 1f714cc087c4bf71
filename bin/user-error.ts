/** An error that only the operator can fix: printed as one line without a stack, with exit code 1. */
export class UserError extends Error {}
