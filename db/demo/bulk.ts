import { randomBytes } from 'node:crypto';
import { gameVersions } from '../catalogue/tags/read.ts';
import { allPermissions } from '../catalogue/teams/rules.ts';
import { aggregateVersions } from '../catalogue/versions/aggregate.ts';
import { sortGameVersions } from '../catalogue/versions/recompute-aggregates.ts';
import { recordEvent } from '../platform/events/write.ts';
import { newId } from '../platform/id.ts';
import { getFact, setFact, withAdvisoryLock } from '../platform/installation.ts';
import type { Db, Pool } from '../platform/postgres/sql.ts';
import { type GeneratedProject, type GeneratedVersion, generated } from './generator.ts';

/** Projects per transaction: short enough not to delay event consumers, with one event each. */
const chunk = 250;
const day_ms = 86_400_000;

export interface Bulk {
  /** Installations with the same seed get the same projects. */
  seed?: number;
  now?: Date;
  onProgress?: (done: number, of: number) => void;
}

/**
 * Inserts `n` approved projects, about ten versions each, of generated users; their files have fake hashes and cannot
 * be downloaded. Continues where the last call with the same seed ended. Search is updated by `catalogue.loaded`
 * events that name the projects. Source: decisions §1.6; search §3.6.
 */
export async function seedBulk(
  sql: Pool,
  n: number,
  { seed = 1, now = new Date(), onProgress }: Bulk = {},
): Promise<void> {
  const key = `bulk.${seed}`;
  await withAdvisoryLock(sql, 'seed', async () => {
    const known = (await gameVersions(sql)).filter(({ version_type }) => version_type === 'release');
    const game_versions = known.map(({ version }) => version).reverse();
    const from = (await getFact<number>(sql, key)) ?? 0;
    for (let done = 0; done < n; done += chunk) {
      const count = Math.min(chunk, n - done);
      const projects = [...generated({ seed, from: from + done, count, game_versions })];
      await sql.begin(async (tx) => {
        await insert(tx, projects, game_versions, now);
        await recordEvent(tx, {
          name: 'catalogue.loaded',
          data: { project_ids: projects.map(({ id }) => id) },
        });
        await setFact(tx, key, from + done + count);
      });
      onProgress?.(done + count, n);
    }
    await sql`analyze users, teams, team_members, projects, versions, files`;
  });
}

type Cells = Record<string, string | number | boolean | null | readonly string[]>;

/**
 * Inserts rows of one table in one statement; all have the keys of the first. Not by COPY: the driver does not report
 * when the server rejects the last rows.
 */
async function insertAll(db: Db, table: string, rows: ReadonlyArray<Cells>): Promise<void> {
  const columns = db(Object.keys(rows[0] ?? {}));
  if (rows.length === 0) return;
  await db`
    insert into ${db(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${db(table)}, ${JSON.stringify(rows)}::text::json)`;
}

async function insert(tx: Db, projects: GeneratedProject[], known: string[], now: Date): Promise<void> {
  const at = (days_ago: number): string => new Date(now.getTime() - days_ago * day_ms).toISOString();
  await insertAll(tx, 'users', await newUsers(tx, projects, at(2_000)));
  const teams = projects.map(() => newId());
  const team = (n: number) => teams[n] as string;
  await insertAll(
    tx,
    'teams',
    teams.map((id) => ({ id })),
  );
  const members = projects.map(({ author }, n) => ({
    team_id: team(n),
    user_id: author.id,
    role: 'Owner',
    is_owner: true,
    permissions: allPermissions,
    accepted: true,
    payouts_split: 100,
  }));
  await insertAll(tx, 'team_members', members);
  await insertAll(
    tx,
    'projects',
    projects.map((project, n) => projectRow(project, team(n), known, at)),
  );
  const versions = projects.flatMap((project) => project.versions.map((version) => ({ project, version })));
  await insertAll(
    tx,
    'versions',
    versions.map(({ project, version }) => versionRow(project, version, at)),
  );
  await insertAll(
    tx,
    'files',
    versions.map(({ project, version }) => fileRow(project, version)),
  );
}

async function newUsers(tx: Db, projects: GeneratedProject[], created: string): Promise<Array<Cells>> {
  const authors = new Map(projects.map(({ author }) => [author.id, author]));
  const there = await tx<
    { id: string }[]
  >`select id from users where id = any(${[...authors.keys()]}::text[])`;
  for (const { id } of there) authors.delete(id);
  return [...authors.values()].map(({ id, username }) => ({ id, username, created }));
}

type At = (days_ago: number) => string;

function projectRow(project: GeneratedProject, team: string, known: string[], at: At): Cells {
  const {
    id,
    slug,
    title,
    description,
    license_id,
    categories,
    additional_categories,
    downloads,
    followers,
  } = project;
  const fold = aggregateVersions(
    project.versions.map((version) => ({ ...version, date_published: at(version.days_ago) })),
  );
  const published = at(project.days_ago);
  return {
    ...{ id, slug, title, description, license_id, categories, additional_categories, downloads, followers },
    ...fold,
    game_versions: sortGameVersions(fold.game_versions, known),
    team,
    status: 'approved',
    published,
    approved: published,
    first_public: published,
    queued: published,
    updated: at(project.versions.at(-1)?.days_ago ?? project.days_ago),
    thread_id: newId(),
  };
}

function versionRow(
  { id: project_id, title, author }: GeneratedProject,
  version: GeneratedVersion,
  at: At,
): Cells {
  const {
    id,
    version_number,
    version_type,
    loaders,
    mrpack_loaders,
    game_versions,
    environment,
    downloads,
    days_ago,
  } = version;
  return {
    ...{
      id,
      project_id,
      version_number,
      version_type,
      loaders,
      mrpack_loaders,
      game_versions,
      environment,
      downloads,
    },
    author_id: author.id,
    name: `${title} ${version_number}`.slice(0, 64),
    date_published: at(days_ago),
  };
}

const extensions: Record<string, string> = {
  mrpack: 'mrpack',
  minecraft: 'zip',
  iris: 'zip',
  optifine: 'zip',
  datapack: 'zip',
};

function fileRow(project: GeneratedProject, { id, version_number, loaders }: GeneratedVersion): Cells {
  const hashes = randomBytes(84).toString('hex');
  return {
    id: newId(),
    version_id: id,
    filename: `${project.slug}-${version_number}.${extensions[loaders[0] as string] ?? 'jar'}`,
    is_primary: true,
    size: 20_000 + (Number.parseInt(hashes.slice(0, 5), 16) % 900_000),
    sha1: hashes.slice(0, 40),
    sha512: hashes.slice(40, 168),
  };
}
