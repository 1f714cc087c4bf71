import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import type { MemberProject } from '#db/catalogue/projects/of-member.ts';
import { readBulkEdit } from './bulk-edit.server.ts';
import { isUnchanged } from './bulk-preview.ts';

const project = (id: string, given: Partial<MemberProject> = {}) =>
  ({
    id,
    title: id,
    project_types: ['mod'],
    categories: [],
    additional_categories: [],
    issues_url: null,
    source_url: null,
    wiki_url: null,
    discord_url: null,
    donation_urls: [],
    editable: true,
    ...given,
  }) as unknown as MemberProject;
const mine = [
  project('Basalt01', {
    source_url: 'https://git.example/a',
    categories: ['storage'],
    additional_categories: ['mobs'],
  }),
  project('Granite1'),
  project('Theirs01', { editable: false }),
];
const read = (query: string) => readBulkEdit(new URLSearchParams(query), mine, messages('en-US').t);
const both = 'id=Basalt01&id=Granite1&id=Theirs01&id=Unknown1&preview=1';

test('only projects that may be edited together are chosen, and nothing is shown before the preview', () => {
  const { projects, previews } = read('id=Basalt01&id=Theirs01&id=Unknown1');
  expect([projects.map(({ id }) => id), previews]).toEqual([['Basalt01'], null]);
});

test('the preview has exactly what changes in each project', () => {
  const { previews } = read(
    `${both}&source=https://git.example/a&clear_wiki=on&add=storage&add=equipment&remove=mobs`,
  );
  expect(previews!.map(({ links, added, removed }) => ({ links, added, removed }))).toEqual([
    { links: [], added: ['equipment'], removed: ['mobs'] },
    {
      links: [{ name: 'source', from: null, to: 'https://git.example/a' }],
      added: ['storage', 'equipment'],
      removed: [],
    },
  ]);
});

test('empty fields and unknown tags change nothing', () => {
  expect(read(`${both}&source=&add=cheese`).previews!.every(isUnchanged)).toBe(true);
});

test.each(['http://git.example', 'javascript:alert(1)', 'x'])('%s is refused beside its field', (url) => {
  const { previews, form } = read(`${both}&issues=${encodeURIComponent(url)}`);
  expect(previews).toBeNull();
  expect(form.errors).toMatchObject([
    { field: 'issues', text: 'Enter a full URL that starts with https://.' },
  ]);
});
