import type { Piece } from './ansi.ts';
import type { DisplayLine } from './display-line.ts';
import { type FoundLink, findLinks } from './find-links.ts';
import { marked } from './search-lines.ts';
import { longUnits } from './wrap-lines.ts';

/** A part of a line in one style. */
export interface Segment {
  text: string;
  /** Classes of `console.css`. */
  style: string;
  /** It matches the search. */
  hit: boolean;
}
/** Segments of one link, or of none. */
export interface LinkedSegments {
  link: FoundLink | null;
  segments: Segment[];
}
/** A part of a line that breaks between words, or anywhere. */
export interface LinePart {
  is_long: boolean;
  parts: LinkedSegments[];
}

type Range = readonly [from: number, to: number];

/**
 * The parts of a line: with its links, the matches of `query`, and the words that are longer than `columns`. Only for
 * lines that are on the screen. Pure.
 */
export function lineParts(
  { text, pieces, cells }: Pick<DisplayLine, 'text' | 'pieces' | 'cells'>,
  query: string,
  columns: number,
): LinePart[] {
  const links = findLinks(text);
  const long = cells > columns ? longUnits(text, columns) : [];
  if (query === '' && links.length === 0 && long.length === 0)
    return [{ is_long: false, parts: [{ link: null, segments: pieces.map(unmarked) }] }];
  const styled = rangesOf(pieces.map((piece) => piece.text));
  const found = query === '' ? [] : marked(text, query);
  const hits = rangesOf(found.map((piece) => piece.text)).filter((_, at) => found[at]!.hit);
  const linked = links.map(({ from, to }): Range => [from, to]);
  const cuts = [...new Set([0, text.length, ...[...styled, ...hits, ...linked, ...long].flat()])].sort(
    (a, b) => a - b,
  );
  const lines: LinePart[] = [];
  cuts.slice(0, -1).forEach((from, at) => {
    const link = links[covering(linked, from)] ?? null;
    const is_long = covering(long, from) >= 0;
    const segment = {
      text: text.slice(from, cuts[at + 1]),
      style: pieces[covering(styled, from)]?.style ?? '',
      hit: covering(hits, from) >= 0,
    };
    const part = lines.at(-1);
    const linkedPart = part?.parts.at(-1);
    if (!part || part.is_long !== is_long) lines.push({ is_long, parts: [{ link, segments: [segment] }] });
    else if (linkedPart?.link !== link) part.parts.push({ link, segments: [segment] });
    else linkedPart.segments.push(segment);
  });
  return lines;
}

const unmarked = (piece: Piece): Segment => ({ ...piece, hit: false });

function rangesOf(texts: readonly string[]): Range[] {
  let at = 0;
  return texts.map((text) => {
    at += text.length;
    return [at - text.length, at] as const;
  });
}

const covering = (ranges: readonly Range[], at: number): number =>
  ranges.findIndex(([from, to]) => at >= from && at < to);
