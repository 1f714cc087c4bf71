import type { IncomingHttpHeaders } from 'node:http';

/** What the conditions of a request are compared with: the ETag with its quotes, and when the bytes were stored. */
export interface Validators {
  etag: string;
  modified: Date;
}

const tagsIn = (list: string): string[] => list.match(/(?:W\/)?"[^"]*"|\*/g) ?? [];
const strong = (tag: string): string => tag.replace(/^W\//, '');
/** HTTP dates have a resolution of one second. */
const seconds = (date: number): number => Math.floor(date / 1000);

/**
 * 304 when the client has these bytes already, 412 when its precondition fails, null when the request is answered in
 * full. `Cache-Control` of the request is ignored: a client that sends a condition wants a 304. Source: RFC 9110
 * §13.2.2.
 */
export function conditionStatus(
  headers: IncomingHttpHeaders,
  { etag, modified }: Validators,
): 304 | 412 | null {
  const match = headers['if-match'];
  const unmodified = Date.parse(headers['if-unmodified-since'] ?? '');
  if (match !== undefined) {
    if (!tagsIn(match).some((tag) => tag === '*' || tag === etag)) return 412;
  } else if (seconds(modified.getTime()) > seconds(unmodified)) return 412;
  const none = headers['if-none-match'];
  if (none !== undefined) return tagsIn(none).some((tag) => tag === '*' || strong(tag) === etag) ? 304 : null;
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return seconds(modified.getTime()) <= seconds(since) ? 304 : null;
}

/**
 * The single range that a request asks for, both ends inclusive; null for the whole file (no range, several, or another
 * unit), or `unsatisfiable`. Source: RFC 9110 §14.
 */
export function rangeOf(
  headers: IncomingHttpHeaders,
  size: number,
  { etag, modified }: Validators,
): { start: number; end: number } | 'unsatisfiable' | null {
  const [, first, last] =
    /^bytes=\s{0,9}(\d{0,19})\s{0,9}-\s{0,9}(\d{0,19})\s{0,9}$/.exec(headers.range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  const condition = headers['if-range']?.toString();
  if (condition !== undefined) {
    const same = condition.includes('"')
      ? condition.trim() === etag
      : seconds(modified.getTime()) <= seconds(Date.parse(condition));
    if (!same) return null;
  }
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  return start > end || start >= size ? 'unsatisfiable' : { start, end };
}
