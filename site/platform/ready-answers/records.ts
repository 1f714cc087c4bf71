import type { z } from 'zod';
import type { Db, Pool } from '#db/platform/postgres/sql.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import type { MediaSettings } from '#db/platform/storage/url.ts';
import type { Freshness } from '../http/freshness.ts';
import { ownText } from '../http/own-bytes.ts';
import { ttl } from '../http/page-cache/ttl.ts';
import { savedHeaders } from '../http/saved-headers.ts';
import { ReadyJson } from '../route/ready-json.ts';
import type { AnswerStore, Stored } from './answer-store.ts';

/** A thing as JSON, or (without `json`) which thing belongs to a key. */
export interface RecordPart extends Stored {
  /** Null for a key that nothing belongs to, as long as `Freshness.changes` gives `changes`. */
  id: string | null;
  json: Buffer | null;
  made_ms: number;
  changes?: number;
}

/** Which thing belongs to a key; `bytes` is its approximate response size. */
export interface KeyMatch {
  key: string;
  id: string;
  bytes: number;
}

/** Things of one kind in one form; all questions for it share the parts in memory. */
export interface RecordKind {
  /** As `v2 version`. */
  name: string;
  read(sql: Db, settings: MediaSettings, matches: readonly KeyMatch[]): Promise<ReadRecord[]>;
}

/** A thing that was read; its tags are in lower case. */
interface ReadRecord {
  id: string;
  tags: string[];
  toJson(): object;
}

/** A question for many things by keys that are written in a request. */
export interface RecordQuery {
  kind: RecordKind;
  /** What decides which thing belongs to a key: API version, route, filters. */
  name: string;
  /** Without repetitions; none needs escaping in JSON. */
  keys: ReadonlySet<string>;
  /** Whether the answer is a list in the order of the keys, each thing once; else it is an object by key. */
  isList?: boolean;
  /** The things of these keys that everybody may see; null when the route has to find them. */
  find(sql: Db, keys: readonly string[]): Promise<KeyMatch[] | null>;
  /** The tags by which a key may come to mean another thing, of those of the thing and its own. */
  tagsOfKey(key: string, tags: readonly string[]): readonly string[];
}

/** How a request becomes a question. */
interface RecordRoute<S extends z.ZodType = z.ZodType> {
  /** What it reads: the body of a POST, the query of a GET. */
  shape: S;
  ask(given: z.output<S>): RecordQuery;
}

export interface Records {
  /** Names the route, as `POST /v2/version_files`, whose answers are put together here. */
  offer<S extends z.ZodType>(route: string, given: RecordRoute<S>): void;
  routeOf(route: string): RecordRoute | undefined;
  /** The answer when every part is in memory and known to be right; null else. */
  ready(query: RecordQuery): Buffer<ArrayBuffer> | null;
  /** As `ready`, after what is missing was read; null when the route has to read the database itself. */
  answer(query: RecordQuery): Promise<ReadyJson | null>;
}

interface Options {
  services: { settings: Settings; sql: Pool; now(): Date };
  freshness: Freshness;
  store: AnswerStore<RecordPart>;
}

/** A key and the thing that belongs to it. */
interface Entry {
  key: string;
  part: RecordPart;
}

/** Longer answers are streamed by the route. */
const max_bytes = 1024 * 1024;
const max_name = 512;

/**
 * Answers that hold many versions or projects, put together from things as bytes in memory; what is missing is read in one
 * go. Parts are dropped by events and served under the same rule as whole answers (`ready-answers.ts`), also while the
 * database is away: then only answers all of whose keys are known. Only for what everybody sees.
 */
export function openRecords({ services, freshness, store }: Options): Records {
  const { settings, sql, now } = services;
  const routes = new Map<string, RecordRoute>();

  /** The parts in memory, and the keys of which nothing is known. */
  function lookUp({ name, kind, keys }: RecordQuery): { found: Entry[]; missing: string[] } {
    const now_ms = now().getTime();
    const isAway = freshness.isAway();
    const find = (key: string) => (isAway ? store.findLast(key) : store.find(key, now_ms));
    const found: Entry[] = [];
    const missing: string[] = [];
    for (const key of keys) {
      const link = find(`${name} ${key}`);
      if (link?.id === null && link.changes === freshness.changes()) continue;
      const part = link && find(`${kind.name} ${link.id}`);
      if (part) found.push({ key, part });
      else missing.push(key);
    }
    return { found, missing };
  }

  /** The parts of keys that are not in memory; null when they are too long together. */
  async function load(
    { kind, find }: RecordQuery,
    missing: readonly string[],
    made_ms: number,
  ): Promise<Entry[] | null> {
    const found = await find(sql, missing);
    if (!found) return null;
    const by_key = new Map<string, KeyMatch>();
    for (const match of found) if (!by_key.has(match.key)) by_key.set(match.key, match);
    const by_id = new Map([...by_key.values()].map((match) => [match.id, match]));
    if ([...by_id.values()].reduce((sum, { bytes }) => sum + bytes, 0) > max_bytes) return null;
    const parts = new Map<string, RecordPart>();
    for (const { id, tags, toJson } of await kind.read(sql, settings, [...by_id.values()])) {
      const stored = store.find(`${kind.name} ${id}`, now().getTime());
      const json = stored?.json ?? ownText(JSON.stringify(toJson()));
      parts.set(id, { id, json, made_ms, tags, until: made_ms + ttl.other, bytes: json.length });
    }
    return [...by_key.values()].flatMap(({ key, id }) =>
      parts.has(id) ? [{ key, part: parts.get(id)! }] : [],
    );
  }

  function save(
    { name, kind, tagsOfKey }: RecordQuery,
    loaded: readonly Entry[],
    missing: readonly string[],
    { begun_ms, changes }: { begun_ms: number; changes: number },
  ): void {
    for (const part of new Set(loaded.map((entry) => entry.part)))
      store.save(`${kind.name} ${part.id}`, part);
    for (const { key, part } of loaded)
      store.save(`${name} ${key}`, { ...part, json: null, bytes: 0, tags: tagsOfKey(key, part.tags) });
    const known = new Set(loaded.map(({ key }) => key));
    const nothing = {
      id: null,
      json: null,
      made_ms: begun_ms,
      until: begun_ms + ttl.other,
      bytes: 0,
      tags: [],
    };
    for (const key of missing) if (!known.has(key)) store.save(`${name} ${key}`, { ...nothing, changes });
  }

  /** The headers of an answer while the database is away. */
  function marks(entries: readonly Entry[]): Record<string, string> {
    if (!freshness.isAway()) return {};
    const oldest = Math.min(...entries.map(({ part }) => part.made_ms));
    const right_until = Math.min(freshness.rightUntil(), ...entries.map(({ part }) => part.until));
    const headers = savedHeaders(oldest, right_until, now().getTime());
    return Object.fromEntries(
      headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]!]] : [])),
    );
  }

  return {
    offer: (route, given) => void routes.set(route, given as unknown as RecordRoute),
    routeOf: (route) => routes.get(route),
    ready(query) {
      if (query.name.length > max_name || !freshness.isKnownInSync()) return null;
      const { found, missing } = lookUp(query);
      return missing.length === 0 ? joined(query, found) : null;
    },
    async answer(query) {
      const isAway = freshness.isAway();
      if (query.name.length > max_name || (isAway && !freshness.isStale())) return null;
      if (!isAway && !freshness.isKnownInSync() && !(await freshness.isInSync())) return null;
      const making = freshness.begin();
      const changes = freshness.changes();
      try {
        const { found, missing } = lookUp(query);
        if (missing.length > 0) {
          if (isAway) return null;
          const loaded = await load(query, missing, making.begun_ms);
          if (!loaded || !(await freshness.sync())) return null;
          found.push(...loaded);
          if (making.isOutdated(found.flatMap(({ part }) => part.tags))) return null;
          save(query, loaded, missing, { begun_ms: making.begun_ms, changes });
        }
        const bytes = joined(query, missing.length > 0 ? inOrder(query, found) : found);
        return bytes && new ReadyJson(bytes, marks(found));
      } finally {
        making.end();
      }
    },
  };
}

function inOrder({ keys }: RecordQuery, entries: readonly Entry[]): Entry[] {
  const by_key = new Map(entries.map((entry) => [entry.key, entry]));
  return [...keys].flatMap((key) => by_key.get(key) ?? []);
}

/** A JSON object with these things by key, or a list of them; null when it is too long. */
function joined({ isList = false }: RecordQuery, all: readonly Entry[]): Buffer<ArrayBuffer> | null {
  const ids = new Set<string | null>();
  const entries = isList ? all.filter(({ part }) => ids.size < ids.add(part.id).size) : all;
  let size = Math.max(2, entries.length + 1);
  for (const { key, part } of entries) size += part.json!.length + (isList ? 0 : key.length + 3);
  if (size > max_bytes) return null;
  const body = Buffer.allocUnsafeSlow(size) as Buffer<ArrayBuffer>;
  body[0] = isList ? 91 : 123; // [ {
  let at = 1;
  for (const { key, part } of entries) {
    if (at > 1) body[at++] = 44; // ,
    if (!isList) at += body.write(`"${key}":`, at, 'latin1');
    body.set(part.json!, at);
    at += part.json!.length;
  }
  body[at] = isList ? 93 : 125; // ] }
  return body;
}
