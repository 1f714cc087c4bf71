import { z } from 'zod';
import { projectRefs, rowsByIds as projectRows } from '#db/catalogue/projects/pages.ts';
import { isName } from '#db/catalogue/projects/read.ts';
import type { ProjectRow } from '#db/catalogue/projects/row.ts';
import { idsOrSlugs } from '#db/catalogue/projects/shape.ts';
import { knownHashes, type Match, matchesByHashes, updates } from '#db/catalogue/versions/hashes.ts';
import { rowsByIds as versionRows } from '#db/catalogue/versions/pages.ts';
import type { VersionRow } from '#db/catalogue/versions/row.ts';
import { hashesShape, updatesShape } from '#db/catalogue/versions/shape.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import type { MediaSettings } from '#db/platform/storage/url.ts';
import { jsonText } from '../route/endpoint.ts';
import { tagsOfVersion } from './answer-tags.ts';
import type { KeyMatch, RecordKind, RecordQuery } from './records.ts';

type ApiVersion = 'v2' | 'v3';
type Of<Row> = (settings: MediaSettings, row: Row) => object;

/** `GET /projects?ids=`: projects by ids or slugs, as `of` shows them. */
export function projectsByName(api: ApiVersion, of: Of<ProjectRow>) {
  const kind: RecordKind = {
    name: `${api} project`,
    async read(sql, settings, matches) {
      const rows = [...(await projectRows(sql, matches)).values()];
      const tagsOf = ({ id }: ProjectRow) => [`project:${id.toLowerCase()}`];
      return rows.map((row) => ({ id: row.id, tags: tagsOf(row), toJson: () => of(settings, row) }));
    },
  };
  const query = { kind, name: `${api} projects`, isList: true, find: projectMatches } as const;
  // a project that takes a name over changes what the name gives
  const tagsOfKey = (name: string, tags: readonly string[]) => [...tags, `project:${name.toLowerCase()}`];
  return {
    shape: z.object({ ids: jsonText(idsOrSlugs) }),
    ask: ({ ids }: { ids: readonly string[] }): RecordQuery => ({
      ...query,
      tagsOfKey,
      keys: new Set(ids.filter(isName)),
    }),
  };
}

/** Null when a name is the id of one project and the slug of another. */
async function projectMatches(sql: Db, names: readonly string[]): Promise<KeyMatch[] | null> {
  const refs = await projectRefs(sql, names, null);
  const by_id = new Map(refs.map((ref) => [ref.id, ref]));
  const by_slug = new Map(refs.map((ref) => [ref.slug, ref]));
  const matches: KeyMatch[] = [];
  for (const key of names) {
    const [one, other] = [by_id.get(key), by_slug.get(key.toLowerCase())];
    if (one && other && one !== other) return null;
    const ref = one ?? other;
    if (ref) matches.push({ key, id: ref.id, bytes: ref.bytes });
  }
  return matches;
}

const versionKind = (api: ApiVersion, of: Of<VersionRow>): RecordKind => ({
  name: `${api} version`,
  async read(sql, settings, matches) {
    const rows = [...(await versionRows(sql, matches)).values()];
    return rows.map((row) => ({ id: row.id, tags: tagsOfVersion(row), toJson: () => of(settings, row) }));
  },
});

const byKey = (matches: readonly Match[]): KeyMatch[] =>
  matches.map(({ hash, id, bytes }) => ({ key: hash, id, bytes }));

/** Version and project: whatever gives a hash another version changes one of them. */
const tagsOfHash = (_hash: string, tags: readonly string[]): readonly string[] => tags.slice(0, 2);

/** `POST /version_files`: the versions that contain these files. */
export function versionsByHash(api: ApiVersion, of: Of<VersionRow>) {
  const query = { kind: versionKind(api, of), name: `${api} files`, tagsOfKey: tagsOfHash };
  return {
    shape: hashesShape,
    ask: (body: z.output<typeof hashesShape>): RecordQuery => ({
      ...query,
      keys: knownHashes(body.hashes, body.algorithm),
      find: async (sql, hashes) => byKey(await matchesByHashes(sql, hashes, body, null)),
    }),
  };
}

/** `POST /version_files/update`: the newest versions that match the filters, by the files they replace. */
export function updatesByHash(api: ApiVersion, of: Of<VersionRow>) {
  const query = { kind: versionKind(api, of), tagsOfKey: tagsOfHash };
  return {
    shape: updatesShape,
    ask({ hashes: all, ...filters }: z.output<typeof updatesShape>): RecordQuery {
      const { algorithm } = filters;
      return {
        ...query,
        name: `${api} update ${JSON.stringify(filters)}`,
        keys: knownHashes(all, algorithm),
        find: async (sql, hashes) =>
          byKey(await updates(sql, [{ hashes, filters }], { algorithm, order: 'date' }, null)),
      };
    },
  };
}
