/** An error that only the operator can fix: printed as one line without a stack. The exit code is 1 unless given. */
export class UserError extends Error {
  readonly exit_code: number;

  constructor(message: string, exit_code = 1) {
    super(message);
    this.exit_code = exit_code;
  }
}
