/**
 * What a saved answer says while the database is away, as name, value: no cache may keep it, how old it is, and for how
 * many seconds it is no longer known to be right. Times in milliseconds since 1970. Source: RFC 9111 §5.1; RFC 9211 §2.
 */
export function savedHeaders(made_ms: number, right_until_ms: number, now_ms: number): string[] {
  const seconds = (ms: number) => Math.max(0, Math.floor((now_ms - ms) / 1000));
  return [
    ...['cache-control', 'no-store', 'age', String(seconds(made_ms))],
    ...['cache-status', `Cairn; hit; ttl=${-seconds(right_until_ms) || 0}; detail=database-unavailable`],
  ];
}
