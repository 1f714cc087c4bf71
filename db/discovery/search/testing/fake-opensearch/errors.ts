/** Errors of the fake server, with the text of the real server where it matters. For tests only. */
export class ErrorReply extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, reason: string) {
    super(reason);
    this.status = status;
    this.type = type;
  }

  /** In the format of the server. */
  get body() {
    const cause = { type: this.type, reason: this.message };
    return { error: { root_cause: [cause], ...cause }, status: this.status };
  }
}

export const badRequest = (reason: string): ErrorReply =>
  new ErrorReply(400, 'illegal_argument_exception', reason);

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

/** Asserts that `value` is an object with `allowed` keys only. */
export function objectOf(
  value: Json | undefined,
  where: string,
  allowed: readonly string[] | null,
): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest(`${where} must be an object`);
  for (const name of Object.keys(value))
    if (allowed && !allowed.includes(name)) throw badRequest(`${where}: unknown [${name}]`);
  return value;
}

/** The only key and value of an object such as `{ field: condition }`. */
export function onlyEntry(value: Json | undefined, where: string): [name: string, value: Json] {
  const entries = Object.entries(objectOf(value, where, null));
  const [entry] = entries;
  if (!entry || entries.length > 1) throw badRequest(`${where} must have exactly one name`);
  return entry;
}
