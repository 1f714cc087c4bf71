import type { Row } from '../core/apply-update.ts';
import { displayLine } from './display-line.ts';

/** Lines of context around every hit. */
const around = 2;

/** A search result: a row, or the number of rows left out. */
export type Found = { row: Row; at: number; hit: boolean } | { between: number; key: string };

const lineText = (row: Row): string => (row.kind === 'line' ? displayLine(row.line).text : '');

/** The lines that contain `query` (any case), each with context, and the number of lines between. Pure. */
export function find(rows: readonly Row[], query: string): { found: Found[]; hits: number[] } {
  const needle = query.toLocaleLowerCase();
  const hits: number[] = [];
  rows.forEach((row, at) => {
    if (lineText(row).toLocaleLowerCase().includes(needle)) hits.push(at);
  });
  const found: Found[] = [];
  let next = 0;
  hits.forEach((hit, index) => {
    const from = Math.max(next, hit - around);
    const to = Math.min(rows.length, hit + around + 1, hits[index + 1] ?? rows.length);
    leaveOut(found, rows, next, from);
    for (let at = from; at < to; at++) found.push({ row: rows[at]!, at, hit: at === hit });
    next = to;
  });
  if (hits.length > 0) leaveOut(found, rows, next, rows.length);
  return { found, hits };
}

function leaveOut(found: Found[], rows: readonly Row[], from: number, to: number): void {
  if (to > from) found.push({ between: to - from, key: `between ${rows[from]!.key}` });
}

/** `text` split into pieces, with matches of `query` (any case) marked. */
export function marked(text: string, query: string): Array<{ text: string; hit: boolean }> {
  const low = text.toLocaleLowerCase();
  const needle = query.toLocaleLowerCase();
  // the positions of letters whose length changes with their case cannot be mapped back
  if (needle === '' || low.length !== text.length) return [{ text, hit: false }];
  const pieces: Array<{ text: string; hit: boolean }> = [];
  let at = 0;
  for (let hit = low.indexOf(needle); hit >= 0; hit = low.indexOf(needle, at)) {
    if (hit > at) pieces.push({ text: text.slice(at, hit), hit: false });
    at = hit + needle.length;
    pieces.push({ text: text.slice(hit, at), hit: true });
  }
  if (at < text.length || pieces.length === 0) pieces.push({ text: text.slice(at), hit: false });
  return pieces;
}
