import { existsSync, readFileSync } from 'node:fs';
import type { Numbered } from './numbers.ts';

/** A release that was written by hand. */
export interface Release {
  /** Null: it has none besides its number. */
  name: string | null;
  /** In Markdown. */
  changelog: string;
}

/**
 * The written releases of a project by version number: sections of `data/releases/SLUG.md`, `## Name` or `## -` without
 * one. A heading that begins with a number is for that version; the others are for the feature releases, newest first.
 */
export function releasesOf(slug: string, numbered: readonly Numbered[]): Map<string, Release> {
  const sections = sectionsOf(slug);
  const taken = new Set(sections.map(({ number }) => number));
  const features = numbered.filter(({ kind, number }) => kind === 'feature' && !taken.has(number));
  const releases = new Map<string, Release>();
  for (const { number, ...release } of sections) {
    const version = number ?? features.pop()?.number;
    if (version) releases.set(version, release);
  }
  return releases;
}

function sectionsOf(slug: string): Array<Release & { number: string | null }> {
  const file = new URL(`./data/releases/${slug}.md`, import.meta.url);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const [, number = null, name = ''] = /^(\d+(?:\.\d+)+)? ?(.*)$/.exec(heading.trim()) ?? [];
      return { number, name: name === '-' || name === '' ? null : name, changelog: lines.join('\n').trim() };
    });
}
