import { expect, test } from 'vitest';
import type { Project } from '#db/catalogue/projects/shape.ts';
import {
  articleSchema,
  breadcrumbSchema,
  collectionSchema,
  jsonLd,
  organizationSchema,
  personSchema,
  projectSchema,
  siteSchema,
} from './json-ld.ts';

const site = 'https://cairn.example';
const hostile = '</script><!-- <script>alert(1)</script> & \u2028 \u0000 ]]> \ud800';

test('user-written text cannot close the element or break the JSON', () => {
  const text = jsonLd([{ '@type': 'Thing', name: hostile, list: [hostile] }]);
  expect(text).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(text)).toEqual({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Thing',
        name: '</script><!-- <script>alert(1)</script> & \u2028  ]]> \ufffd',
        list: ['</script><!-- <script>alert(1)</script> & \u2028  ]]> \ufffd'],
      },
    ],
  });
});

test('the site describes its search', () => {
  const { potentialAction } = siteSchema(site) as unknown as {
    potentialAction: { target: { urlTemplate: string } };
  };
  expect(potentialAction.target.urlTemplate).toBe('https://cairn.example/search?q={search_term_string}');
});

test('breadcrumbs are numbered from one', () => {
  expect(
    breadcrumbSchema(site, [
      ['Mods', '/mods'],
      ['Lantern', '/mod/lantern'],
    ]).itemListElement,
  ).toEqual([
    { '@type': 'ListItem', position: 1, name: 'Mods', item: 'https://cairn.example/mods' },
    { '@type': 'ListItem', position: 2, name: 'Lantern', item: 'https://cairn.example/mod/lantern' },
  ]);
});

test('a project is free software, and unknown properties are left out', () => {
  const project = {
    id: 'AABBCCDD',
    slug: 'lantern',
    project_type: 'mod',
    loaders: ['fabric'],
    title: 'Lantern',
    description: 'Light.',
    published: '2026-01-01T00:00:00Z',
    approved: '2026-01-02T00:00:00Z',
    updated: '2026-01-03T00:00:00Z',
    license: { id: 'MIT', name: 'MIT', url: null },
    downloads: 7,
    categories: [],
    icon_url: null,
  } as unknown as Project;
  const made = { maker: null, organization: null, version: null, picture: `${site}/og/mod/lantern.png` };
  const item = projectSchema(site, project, made);
  expect(item).toMatchObject({
    '@type': 'SoftwareApplication',
    url: 'https://cairn.example/mod/lantern',
    image: 'https://cairn.example/og/mod/lantern.png',
    datePublished: '2026-01-02T00:00:00Z',
    offers: { price: 0 },
  });
  for (const absent of ['author', 'softwareVersion', 'license', 'keywords'])
    expect(item).not.toHaveProperty(absent);
  expect(projectSchema(site, project, { ...made, maker: 'House', organization: 'house' }).author).toEqual({
    '@type': 'Organization',
    name: 'House',
    url: 'https://cairn.example/organization/house',
  });
});

test('users, organizations and collections have their types, and only given properties', () => {
  const created = '2026-01-01T00:00:00Z';
  expect(personSchema(site, { username: 'ada.l', bio: null, avatar_url: null, created })).toEqual({
    '@type': 'ProfilePage',
    dateCreated: created,
    mainEntity: { '@type': 'Person', name: 'ada.l', url: 'https://cairn.example/user/ada.l' },
  });
  expect(
    organizationSchema(site, { name: 'House', slug: 'house', description: '', icon_url: 'https://x/y.png' }),
  ).toEqual({
    '@type': 'Organization',
    name: 'House',
    url: 'https://cairn.example/organization/house',
    logo: 'https://x/y.png',
  });
  const collection = { id: 'AABBCCDD', name: 'Cosy', description: 'Warm things', updated: created };
  expect(collectionSchema(site, collection, 'ada')).toMatchObject({
    '@type': 'CollectionPage',
    url: 'https://cairn.example/collection/AABBCCDD',
    description: 'Warm things',
    author: { '@type': 'Person', name: 'ada' },
  });
});

test('an article names its picture, day, authors and address', () => {
  const facts = {
    title: 'Stones',
    summary: 'About stones',
    date: '2026-11-22',
    path: '/news/article/stones',
    picture: `${site}/_astro/stones.png`,
    topics: ['product'],
  };
  const authors = [
    { name: 'The team', kind: 'team' as const },
    { name: 'ada', kind: 'user' as const, path: '/user/ada' },
  ];
  expect(articleSchema(site, { ...facts, authors })).toMatchObject({
    '@type': 'Article',
    headline: 'Stones',
    url: `${site}/news/article/stones`,
    image: `${site}/_astro/stones.png`,
    datePublished: '2026-11-22',
    author: [
      { '@type': 'Organization', name: 'The team' },
      { '@type': 'Person', name: 'ada', url: `${site}/user/ada` },
    ],
  });
});
