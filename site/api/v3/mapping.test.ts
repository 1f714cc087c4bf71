import { describe, expect, it } from 'vitest';
import { parseDonations } from '#db/catalogue/projects/fields.ts';
import { linkColumns } from '#db/catalogue/projects/stored-fields.ts';
import { names, toV2 } from './mapping.ts';

describe('names of v2 and v3', () => {
  it.each([
    ['title', 'name'],
    ['description', 'summary'],
    ['body', 'description'],
    ['team', 'team_id'],
  ] as const)('the project field %s is %s in v3', (v2, v3) => {
    expect({ ...names.project }).toMatchObject({ [v2]: v3 });
    expect(toV2({ [v3]: 1 }, names.project)).toEqual({ [v2]: 1 });
  });

  it('the title of a gallery image is its name in v3', () => {
    expect(toV2({ name: 1, url: 2 }, names.picture)).toEqual({ title: 1, url: 2 });
  });

  it('names that differ do not collide', () => {
    const v3 = { name: 1, summary: 2, description: 3, team_id: 4, slug: 5 };
    expect(toV2(v3, names.project)).toEqual({ title: 1, description: 2, body: 3, team: 4, slug: 5 });
  });
});

describe('links of v2 and v3', () => {
  it.each([
    ['issues', 'issues_url'],
    ['source', 'source_url'],
    ['wiki', 'wiki_url'],
    ['discord', 'discord_url'],
    ['site', 'site_url'],
    ['store', 'store_url'],
  ])('the link %s is stored as %s', (platform, column) => {
    expect(linkColumns.get(platform)).toBe(column);
  });

  it.each([
    ['platform', 'patreon'],
    ['id', 'ko-fi'],
  ] as const)('a donation link is named by %s first', (first, key) => {
    const given = { id: 'ko-fi', platform: 'patreon', url: 'https://example.test/' };
    expect(parseDonations([given], first).map(({ id }) => id)).toEqual([key]);
  });
});
