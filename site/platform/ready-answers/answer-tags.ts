import type { AnswerKey } from './answer-key.ts';

/** The fields of a version that name other things. */
export interface TaggedVersion {
  id: string;
  project_id: string;
  author_id: string;
  dependencies: ReadonlyArray<{ project_id: string | null; version_id: string | null }>;
}

/**
 * The tags of a version: itself, its project, its author, and what it depends on, since its dependencies go with their
 * projects and versions.
 */
export function tagsOfVersion({ id, project_id, author_id, dependencies }: TaggedVersion): string[] {
  const tags = new Set([`version:${id}`, `project:${project_id}`, `user:${author_id}`]);
  for (const dependency of dependencies) {
    if (dependency.project_id) tags.add(`project:${dependency.project_id}`);
    if (dependency.version_id) tags.add(`version:${dependency.version_id}`);
  }
  return lower(tags);
}

/**
 * The tags of an answer, in lower case; null when it is not what its address promises. The name in the address counts too:
 * a project that takes it over changes the answer.
 */
export function tagsOfAnswer({ kind, project }: AnswerKey, body: Buffer): string[] | null {
  if (kind === 'tags') return ['tags'];
  const named = project === null ? [] : [`project:${project}`];
  const answer = JSON.parse(body.toString()) as { id: string } & TaggedVersion & TaggedVersion[];
  if (kind === 'versions') return lower([...named, ...answer.flatMap(tagsOfVersion)]);
  if (typeof answer.id !== 'string') return null;
  return kind === 'project' ? lower([...named, `project:${answer.id}`]) : tagsOfVersion(answer);
}

const lower = (tags: Iterable<string>): string[] => [...new Set([...tags].map((tag) => tag.toLowerCase()))];
