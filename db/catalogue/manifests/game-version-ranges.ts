import { compareVersions, versionParts } from '../game-releases/rules.ts';
import type { KnownGameVersion } from './manifest.ts';

type Operator = '<' | '<=' | '=' | '>=' | '>';
interface Bound {
  operator: Operator;
  version: string;
}
/** Alternatives, each a list of bounds that all must hold. No bound at all: every version. */
export type VersionRange = Bound[][];

const max_length = 256;
/** Whether it is a version with numbers, as opposed to a snapshot of a week. */
const isNumbered = (version: string): boolean => /^\d{1,6}(\.\d{1,6}){0,4}(-[\w.+-]*)?$/.test(version);

const holds = (version: string, { operator, version: bound }: Bound): boolean => {
  if (!isNumbered(version) || !isNumbered(bound)) return operator === '=' && version === bound;
  const order = compareVersions(version, bound);
  if (operator === '=') return order === 0;
  return order === 0 ? operator.length === 2 : operator.startsWith('<') === order < 0;
};

/** The next version at a place: 1.20.4 at 1 -> 1.21. A pre-release of it is below it, too. */
const next = (numbers: readonly number[], place: number): string =>
  `${numbers
    .slice(0, place + 1)
    .map((number, i) => (i === place ? number + 1 : number))
    .join('.')}-`;

/**
 * A predicate of Fabric and Quilt: terms by spaces that all must hold, `>= 1.20`, `~1.20.1`, `^1.20`, `1.20.x`, `*` or one
 * version; alternatives by `||`. Null when it is none.
 */
export function predicateRange(text: string): VersionRange | null {
  if (text.length > max_length) return null;
  const range: VersionRange = [];
  for (const alternative of text.split('||')) {
    const bounds: Bound[] = [];
    for (const term of alternative.replace(/([<>=~^])\s+/g, '$1').split(/[\s,]+/)) {
      const read = term === '' ? [] : termOf(term);
      if (!read) return null;
      bounds.push(...read);
    }
    range.push(bounds);
  }
  return range;
}

function termOf(term: string): Bound[] | null {
  if (/^[*xX]$/.test(term)) return [];
  const [, operator = '', version = ''] = /^(<=|>=|[<>=~^])?(.+)$/.exec(term) ?? [];
  if (/[<>=~^*|]/.test(version.replace(/\.\*$/, ''))) return null;
  const any = /^(\d{1,6}(?:\.\d{1,6})*)\.[xX*]/.exec(version);
  if (any) {
    const numbers = any[1]!.split('.').map(Number);
    return [
      { operator: '>=', version: any[1]! },
      { operator: '<', version: next(numbers, numbers.length - 1) },
    ];
  }
  if (operator !== '~' && operator !== '^') return [{ operator: (operator || '=') as Operator, version }];
  if (!isNumbered(version)) return null;
  const { numbers } = versionParts(version);
  const place = operator === '^' ? 0 : Math.min(1, numbers.length - 1);
  return [
    { operator: '>=', version },
    { operator: '<', version: next(numbers, place) },
  ];
}

/**
 * A range of Maven, as Forge writes it: `[1.20,1.21)`, `[1.20.1]`, several by commas, or one version. Null when it is
 * none.
 */
export function mavenRange(text: string): VersionRange | null {
  const plain = text.replace(/\s+/g, '');
  if (plain.length > max_length || plain === '') return null;
  if (plain === '*') return [[]];
  if (!/[[\](),]/.test(plain)) return [[{ operator: '=', version: plain }]];
  const range: VersionRange = [];
  let rest = plain;
  while (rest !== '') {
    const found = /^([[(])([^[\](),]*)(?:(,)([^[\](),]*))?([\])]),?/.exec(rest);
    if (!found) return null;
    const [whole, open, low = '', comma, high = '', close] = found;
    if (comma === undefined && (open !== '[' || close !== ']' || low === '')) return null;
    range.push([
      ...(low ? [{ operator: open === '[' ? ('>=' as const) : ('>' as const), version: low }] : []),
      ...(comma === undefined ? [{ operator: '<=' as const, version: low }] : []),
      ...(high ? [{ operator: close === ']' ? ('<=' as const) : ('<' as const), version: high }] : []),
    ]);
    rest = rest.slice(whole.length);
  }
  return range;
}

/**
 * The known versions inside any of `ranges`, in the given order. Versions that are no releases only when a range names
 * exactly them; a range without bounds says nothing about the game and gives none.
 */
export function versionsIn(ranges: readonly VersionRange[], known: readonly KnownGameVersion[]): string[] {
  const alternatives = ranges.flat();
  if (alternatives.some((bounds) => bounds.length === 0)) return [];
  return known
    .filter(({ version, version_type }) =>
      alternatives.some(
        (bounds) =>
          bounds.every((bound) => holds(version, bound)) &&
          (version_type === 'release' || bounds.some(({ operator }) => operator === '=')),
      ),
    )
    .map(({ version }) => version);
}
