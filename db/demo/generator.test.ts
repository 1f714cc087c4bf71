import { describe, expect, it } from 'vitest';
import { beginnings } from './bulk-words.ts';
import { type GeneratedProject, generated } from './generator.ts';

const game_versions = ['1.18.2', '1.19.2', '1.20.1', '1.20.4', '1.21', '1.21.1', '1.21.4'];
const part = (from: number, count: number, seed = 1): GeneratedProject[] => [
  ...generated({ seed, from, count, game_versions }),
];
const share = (projects: GeneratedProject[], holds: (project: GeneratedProject) => boolean): number =>
  projects.filter(holds).length / projects.length;

describe('the generated catalogue', () => {
  const projects = part(0, 4_000);

  it('is the same for the same seed, in one run or in parts, and differs between seeds', () => {
    expect([...part(0, 30), ...part(30, 20)]).toEqual(projects.slice(0, 50));
    expect(part(0, 5, 2).map(({ id }) => id)).not.toEqual(projects.slice(0, 5).map(({ id }) => id));
  });

  it('has unique ids, slugs and author names', () => {
    for (const of of [
      projects.map(({ id }) => id),
      projects.map(({ slug }) => slug),
      projects.flatMap(({ versions }) => versions.map(({ id }) => id)),
    ])
      expect(new Set(of).size).toBe(of.length);
    const names = new Map(projects.map(({ author }) => [author.id, author.username.toLowerCase()]));
    expect(new Set(names.values()).size).toBe(names.size);
    expect(names.size).toBeGreaterThan(400);
  });

  it('satisfies the validation rules', () => {
    for (const { slug, title, description, author, versions, categories } of projects.slice(0, 800)) {
      expect(slug).toMatch(/^[a-z0-9-]{3,64}$/);
      expect(title.length).toBeLessThanOrEqual(64);
      expect(description.length).toBeLessThanOrEqual(255);
      expect(author.username).toMatch(/^[a-zA-Z0-9._-]{1,39}$/);
      expect(categories.length).toBeLessThanOrEqual(3);
      expect(versions.length).toBeGreaterThan(0);
      for (const version of versions) {
        expect(version.loaders.length).toBeGreaterThan(0);
        expect(version.game_versions.length).toBeGreaterThan(0);
        expect(version.loaders.includes('mrpack')).toBe(version.mrpack_loaders.length > 0);
      }
      const ages = versions.map(({ days_ago }) => days_ago);
      expect(ages).toEqual([...ages].sort((a, b) => b - a));
    }
  });

  it('mixes titles like a real one', () => {
    const begin = new RegExp(`(^|[^a-z])(${beginnings.join('|')})[a-z]*`, 'i');
    expect(share(projects, ({ title }) => begin.test(title))).toBeGreaterThan(0.55);
    expect(
      share(projects, ({ title }) => /[\p{sc=Han}\p{sc=Katakana}\p{sc=Hangul}]/u.test(title)),
    ).toBeCloseTo(0.03, 1);
    expect(share(projects, ({ title }) => /\p{sc=Cyrillic}/u.test(title))).toBeCloseTo(0.02, 1);
    expect(share(projects, ({ title }) => /^\p{L}+\p{Ll}\p{Lu}/u.test(title))).toBeGreaterThan(0.05);
    expect(share(projects, ({ title }) => title.includes("'s "))).toBeGreaterThan(0.05);
  });

  it('has few projects with most of the downloads, and about ten versions each', () => {
    const sorted = projects.map(({ downloads }) => downloads).sort((a, b) => b - a);
    const sum = (list: number[]) => list.reduce((total, one) => total + one, 0);
    expect(sum(sorted.slice(0, sorted.length / 20)) / sum(sorted)).toBeGreaterThan(0.5);
    const versions = sum(projects.map((project) => project.versions.length)) / projects.length;
    expect(versions).toBeGreaterThan(9);
    expect(versions).toBeLessThan(11);
  });
});
