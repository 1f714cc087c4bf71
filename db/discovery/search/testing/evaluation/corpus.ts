import { readFileSync } from 'node:fs';
import { aggregateVersions } from '../../../../catalogue/versions/aggregate.ts';
import { sortGameVersions } from '../../../../catalogue/versions/recompute-aggregates.ts';
import { type GeneratedProject, generated } from '../../../../demo/generator.ts';
import { type AggregatedColumns, documentOf, rowOf } from '../../documents/documents.ts';
import type { SearchDocument } from '../../engine.ts';
import type { Target } from './target.ts';

const day_ms = 86_400_000;

export interface Corpus {
  seed: number;
  projects: number;
  /** Dates are relative to this. */
  now?: Date;
}

/** Names of the released game versions of a new installation, oldest first. */
export function releases(): string[] {
  const file = new URL('../../../../catalogue/tags/game-versions.json', import.meta.url);
  const known = JSON.parse(readFileSync(file, 'utf8')) as Array<{ version: string; version_type: string }>;
  return known
    .filter(({ version_type }) => version_type === 'release')
    .map(({ version }) => version)
    .reverse();
}

/**
 * The documents of a generated catalogue by id, without a database: the same as `documentsOf` gives after `seedBulk`
 * with the same seed and `now`.
 */
export function corpus({ seed, projects, now = new Date(0) }: Corpus): SearchDocument[] {
  const game_versions = releases();
  const docs: SearchDocument[] = [];
  for (const project of generated({ seed, from: 0, count: projects, game_versions }))
    docs.push(documentFor(project, game_versions, now));
  return docs.sort((a, b) => (a.project_id < b.project_id ? -1 : 1));
}

/** Possible query targets among these documents. */
export const targetsOf = (docs: readonly SearchDocument[]): Target[] =>
  docs.map(({ project_id, title, author, downloads, description, categories, all_project_types }) => ({
    ...{ project_id, title, author, downloads, summary: description },
    tags: [...categories, ...all_project_types],
  }));

/** The document of one project; `known` are the game versions in order. */
export function documentFor(project: GeneratedProject, known: string[], now: Date): SearchDocument {
  const at = (days_ago: number): string => instant(new Date(now.getTime() - days_ago * day_ms));
  const versions = project.versions.map(({ days_ago, ...version }) => ({
    ...version,
    project_id: project.id,
    version_id: version.id,
    date: at(days_ago),
    date_published: at(days_ago),
  }));
  const fold = aggregateVersions(versions);
  const { id, slug, title, description, categories, additional_categories, license_id } = project;
  const columns = {
    ...{ id, slug, title, description, categories, additional_categories, license_id, ...fold },
    game_versions: sortGameVersions(fold.game_versions, known),
    author: project.author.username,
    author_id: project.author.id,
    organization: null,
    organization_id: null,
    downloads: project.downloads,
    followers: project.followers,
    created: at(project.days_ago),
    updated: versions.at(-1)?.date ?? at(project.days_ago),
    archived: false,
    icon_key: null,
    color: null,
  };
  return documentOf(columns, folded(versions).map(rowOf), [], []);
}

/** The newest of each group of versions that no filter can distinguish, newest first. */
function folded(versions: AggregatedColumns[]): AggregatedColumns[] {
  const groups = new Map<string, AggregatedColumns>();
  for (const version of [...versions].sort(newestFirst)) {
    const { loaders, mrpack_loaders, game_versions, environment } = version;
    const key = JSON.stringify([loaders, mrpack_loaders, game_versions, environment]);
    if (!groups.has(key)) groups.set(key, version);
  }
  return [...groups.values()];
}

const newestFirst = (a: AggregatedColumns, b: AggregatedColumns): number =>
  Date.parse(b.date) - Date.parse(a.date) || (a.version_id < b.version_id ? -1 : 1);

/** Dates as from the database: no trailing zeros in the fraction. */
const instant = (date: Date): string => date.toISOString().replace(/\.?0+Z$/, 'Z');
