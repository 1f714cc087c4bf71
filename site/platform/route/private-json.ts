/** A JSON answer that belongs to its caller: no cache stores it. */
export const privateJson = (answer: unknown): Response =>
  Response.json(answer, { headers: { 'cache-control': 'private, no-store' } });
