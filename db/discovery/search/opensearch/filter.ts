import type { Types } from '@opensearch-project/opensearch';
import type { FilterTree } from '../engine.ts';
import { isPair, kindOf, type Leaf, onRows } from '../query/filter-leaves.ts';
import { pair } from './stored.ts';

export type Clause = Types.Common_QueryDsl.QueryContainer;
/** Scope of a clause: a project, or one of its rows, which repeats the project's fields. */
type Scope = '' | 'rows.';

const all: Clause = { match_all: {} };
const none: Clause = { match_none: {} };
const not = (clause: Clause): Clause => ({ bool: { must_not: [clause] } });

/** The server rejects lone surrogates. */
const written = ({ key, value }: Leaf): string => pair(key, String(value).toWellFormed());

/** Larger than every stored number, and still a long. */
const edge = 2 ** 53;
const whole = (value: number): number => Math.min(Math.max(value, -edge), edge);

/** A comparison of whole numbers; incomparable values match nothing. */
function numeric(leaf: Leaf, scope: Scope): Clause {
  const { key, op, value } = leaf;
  if (kindOf(leaf) !== 'number' || typeof value !== 'number') return op === '!=' ? all : none;
  const field = `${scope}${key}`;
  const equal: Clause = Number.isSafeInteger(value) ? { term: { [field]: value } } : none;
  switch (op) {
    case '=':
      return equal;
    case '!=':
      return not(equal);
    case '>':
      return { range: { [field]: { gt: whole(Math.floor(value)) } } };
    case '>=':
      return { range: { [field]: { gte: whole(Math.ceil(value)) } } };
    case '<':
      return { range: { [field]: { lt: whole(Math.ceil(value)) } } };
    case '<=':
      return { range: { [field]: { lte: whole(Math.floor(value)) } } };
  }
}

/** One clause for all `leaves` with operator `op`: any of them. The server limits the number of clauses. */
function anyPair(leaves: FilterTree[], op: '=' | '!=', scope: Scope): Clause[] {
  const values = leaves.filter(isPair).filter((leaf) => leaf.op === op);
  return values.length > 0 ? [{ terms: { [`${scope}keys`]: [...new Set(values.map(written))] } }] : [];
}

const isPairBy = (tree: FilterTree, op: '=' | '!='): boolean => isPair(tree) && tree.op === op;

function every(parts: FilterTree[], scope: Scope): Clause {
  if (parts.length === 0) return all;
  const filter = parts.filter((part) => !isPairBy(part, '!=')).map((part) => clause(part, scope));
  return { bool: { filter, must_not: anyPair(parts, '!=', scope) } };
}

function some(parts: FilterTree[], scope: Scope): Clause {
  if (parts.length === 0) return none;
  const others = parts.filter((part) => !isPairBy(part, '=')).map((part) => clause(part, scope));
  return { bool: { should: [...anyPair(parts, '=', scope), ...others], minimum_should_match: 1 } };
}

function clause(tree: FilterTree, scope: Scope): Clause {
  if ('and' in tree) return every(tree.and, scope);
  if ('or' in tree) return some(tree.or, scope);
  if ('not' in tree) return not(clause(tree.not, scope));
  if (!isPair(tree)) return numeric(tree, scope);
  const having: Clause = { term: { [`${scope}keys`]: written(tree) } };
  return tree.op === '=' ? having : not(having);
}

const conjuncts = (tree: FilterTree): FilterTree[] => ('and' in tree ? tree.and.flatMap(conjuncts) : [tree]);

/** The newest matching row of a project. */
const newestRow: Types.Core_Search.InnerHits = {
  size: 1,
  _source: false,
  sort: [{ 'rows.date': 'desc' }, { 'rows.version_id': 'asc' }],
};

/**
 * The tree as a query for projects: conditions on the project apply to the project, all others together to a single
 * row, which is returned as inner hit if `shown`. Source: search §2 (same-version rule).
 */
export function onProjects(tree: FilterTree | null, shown = true): Clause[] {
  if (!tree) return [];
  const parts = conjuncts(tree);
  const ofRows = parts.filter(onRows);
  const direct = parts.filter((part) => !onRows(part));
  const nested: Clause = {
    nested: { path: 'rows', query: every(ofRows, 'rows.'), ...(shown ? { inner_hits: newestRow } : {}) },
  };
  return [...(direct.length > 0 ? [every(direct, '')] : []), ...(ofRows.length > 0 ? [nested] : [])];
}
