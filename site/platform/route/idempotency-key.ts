import { createHash } from 'node:crypto';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';

const max_key = 100;

/** The header `Idempotency-Key` of a request, or null without one. Refuses `invalid_input` for more than 100 characters. */
export function idempotencyKey(request: Request): string | null {
  const key = request.headers.get('idempotency-key')?.trim() || null;
  if (key !== null && key.length > max_key)
    throw new Refused('invalid_input', { problem: `Idempotency-Key: at most ${max_key} characters.` });
  return key;
}

/**
 * The id of an operation: the `op_id` of the body, else one made of the header `Idempotency-Key`, or null without either.
 * The same key of two people is two operations; a key that is a UUID is the id itself. Refuses as `idempotencyKey`.
 */
export function operationId(
  { user_id }: Pick<Actor, 'user_id'>,
  request: Request,
  op_id: string | undefined,
): string | null {
  const key = idempotencyKey(request);
  if (op_id !== undefined || key === null) return op_id ?? null;
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(key)) return key.toLowerCase();
  const digest = createHash('sha256').update(`${user_id}\n${key}`).digest('hex');
  // a UUID of version 8, which is free to be made of anything
  return digest.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5');
}

/** `operationId`, refused without a key: `idempotency_key_required`. */
export function requiredOperationId(...given: Parameters<typeof operationId>): string {
  const op_id = operationId(...given);
  if (op_id === null) throw new Refused('idempotency_key_required');
  return op_id;
}
