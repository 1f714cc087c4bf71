import { describe, expect, test } from 'vitest';
import { refusals } from '../../platform/errors.ts';
import { checklistRules, openPoints, type ProjectFacts, whyNotSubmit } from './rules.ts';

const text = 'Lanterns that light up by themselves when it gets dark and go out in the morning. '.repeat(4);
/** A project that breaks no rule. */
const whole: ProjectFacts = {
  status: 'draft',
  title: 'Lanternroot',
  summary: 'Lanterns that light up by themselves when it gets dark',
  body: text,
  license_id: 'MIT',
  license_url: null,
  links: {
    issues_url: 'https://github.com/a/b/issues',
    source_url: 'https://github.com/a/b',
    discord_url: 'https://discord.gg/abc',
  },
  donations: ['https://ko-fi.com/a'],
  categories: ['decoration'],
  categories_offered: 20,
  project_types: ['mod'],
  environments: ['client_only'],
  has_icon: true,
  gallery: { count: 1, featured: true },
  versions: { count: 2, single_file: 2 },
};
const open = (change: Partial<ProjectFacts>): string[] =>
  openPoints({ ...whole, ...change }).map(({ rule }) => rule);

test('a whole project has no open point', () => {
  expect(openPoints(whole)).toEqual([]);
});

const breaking: Record<keyof typeof checklistRules, ReadonlyArray<Partial<ProjectFacts>>> = {
  checklist_version: [{ versions: { count: 0, single_file: 0 } }],
  checklist_description: [{ body: ' \n ' }],
  checklist_gallery: [
    { project_types: ['shader'], gallery: { count: 0, featured: false } },
    { project_types: ['resourcepack'], gallery: { count: 0, featured: false } },
  ],
  checklist_environment: [
    { environments: ['unknown'] },
    { project_types: ['modpack'], environments: ['client_only', 'unknown'] },
  ],
  checklist_license: [{ license_id: 'LicenseRef-Unknown' }],
  checklist_license_url: [
    { license_id: 'LicenseRef-Own' },
    { license_url: 'https://www.youtube.com/watch?v=a' },
    { license_url: 'ftp://example.test/license' },
    { license_url: 'license.txt' },
  ],
  checklist_summary_name: [{ summary: ' lanternROOT ' }],
  checklist_chat_link: [{ links: { ...whole.links, wiki_url: 'https://discord.gg/abc' } }],
  checklist_short_link: [
    { links: { ...whole.links, wiki_url: 'https://bit.ly/x' } },
    { donations: ['https://www.tinyurl.com/x'] },
    { license_url: 'https://is.gd/x' },
  ],
  checklist_source: [
    { license_id: 'GPL-3.0-only', links: { ...whole.links, source_url: null } },
    {
      license_id: 'MPL-2.0',
      project_types: ['plugin'],
      links: { ...whole.links, source_url: null },
      versions: { count: 2, single_file: 1 },
    },
  ],
  checklist_feedback: [{ status: 'rejected' }, { status: 'withheld' }],
  checklist_description_short: [
    { body: 'Lanterns.' },
    { body: `![lantern](https://x.test/${'a'.repeat(300)})` },
  ],
  checklist_headers_long: [{ body: `# ${'Lanterns and more lanterns '.repeat(5)}\n${text}` }],
  checklist_images_heavy: [
    { body: '![a](https://x.test/a)\n![b](https://x.test/b)\n![c](https://x.test/c) Three.' },
  ],
  checklist_alt_missing: [
    { body: `${text}\n![](https://x.test/a)` },
    { body: `${text}\n<img src="https://x.test/a">` },
    { body: `${text}\n<img alt="" src="https://x.test/a">` },
  ],
  checklist_summary_short: [{ summary: 'Lanterns.' }],
  checklist_summary_formatted: [
    { summary: 'Lanterns that **light up** by themselves' },
    { summary: 'Lanterns that light up, see https://x.test' },
    { summary: 'Lanterns that light up\nby themselves when it gets dark' },
    { summary: '“Lanterns that light up by themselves”' },
  ],
  checklist_name_brand: [{ title: 'Minecraft Lanterns' }],
  checklist_name_technical: [{ title: 'Lanterns 1.21' }, { title: 'Lanterns for Fabric' }],
  checklist_source_host: [{ links: { ...whole.links, source_url: 'https://code.example.test/a' } }],
  checklist_issues_host: [{ links: { ...whole.links, issues_url: 'https://example.test/issues' } }],
  checklist_chat_host: [{ links: { ...whole.links, discord_url: 'https://example.test/chat' } }],
  checklist_tags_many: [{ categories: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] }],
  checklist_tags_all: [{ categories: ['a', 'b'], categories_offered: 2 }],
  checklist_resolutions: [{ categories: ['16x', '512x+'] }],
  checklist_icon: [{ has_icon: false }],
  checklist_featured: [{ gallery: { count: 1, featured: false } }],
  checklist_tags: [{ categories: [] }],
  checklist_links: [{ links: { source_url: null } }],
};

describe.each(Object.entries(breaking))('%s', (name, changes) => {
  test.each(changes)('is open with %j', (change) => {
    expect(open(change)).toContain(name);
  });
});

test('what is required refuses a submit with a code of its own, in order; the rest does not', () => {
  const required = Object.entries(checklistRules).flatMap(([name, { level }]) =>
    level === 'required' ? [name] : [],
  );
  expect(required.filter((code) => !Object.hasOwn(refusals, code))).toEqual([]);
  expect(whyNotSubmit({ ...whole, body: '', license_id: 'LicenseRef-Unknown', has_icon: false })).toEqual([
    'checklist_description',
    'checklist_license',
  ]);
});

test.each<Partial<ProjectFacts>>([
  { project_types: ['resourcepack'], categories: ['audio'], gallery: { count: 0, featured: true } },
  {
    license_id: 'GPL-3.0-only',
    links: { ...whole.links, source_url: null },
    versions: { count: 2, single_file: 0 },
  },
  { license_id: 'LicenseRef-All-Rights-Reserved' },
  { license_id: 'LicenseRef-Own', license_url: 'https://example.test/license' },
  { versions: { count: 0, single_file: 0 }, environments: ['unknown'] },
  { project_types: ['plugin'], environments: ['unknown'] },
  { title: 'Paperbark trees 11.5' },
])('nothing but the obvious is open with %j', (change) => {
  const obvious = ['checklist_version', 'checklist_name_technical'];
  expect(open(change).filter((name) => !obvious.includes(name))).toEqual([]);
});
