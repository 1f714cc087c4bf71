import { beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import {
  galleryCaptionForm,
  galleryOrderForm,
  galleryRemoveForm,
} from '../../catalogue/project-settings/gallery-forms.server.ts';
import type { FormDefinition } from '../../platform/forms/form-definition.ts';
import { testApi } from '../../testing/api.ts';

/** The forms of a gallery's settings, sent by script. */
const database = testDatabase();
const api = testApi(database);
let id = '';
let cookie = '';
const names = ['a.png', 'b.png', 'c.png'];
beforeEach(async () => {
  const owner = await build.user(database.sql);
  id = (await build.project(database.sql, { owner })).id;
  const { session } = await openSession(database.sql, {
    user_id: owner.id,
    user_agent: null,
    now: new Date(),
  });
  cookie = `auth-token=${session}`;
  const rows = names.map((name, ordering) => {
    const key = `data/${id}/images/${name}`;
    return { project_id: id, key, raw_key: key, ordering };
  });
  await database.sql`insert into gallery ${database.sql(rows)}`;
});

async function send(form: FormDefinition, fields: Record<string, string>) {
  const headers = { 'sec-fetch-site': 'same-origin', cookie };
  const answer = await api.call('POST', form.action, { headers, json: { id, ...fields } });
  return {
    status: answer.status,
    ...((await answer.json()) as { to?: string; details?: { code: string; fields: unknown } }),
  };
}
const stored = async () =>
  (
    await database.sql<Array<{ name: string }>>`
    select raw_key as name from gallery where project_id = ${id} order by ordering, raw_key`
  ).map(({ name }) => name.split('/').at(-1));
const edits = async () =>
  (await database.sql`select data from events where project_id = ${id} and name = 'project.edited'`).length;

describe('the order of a gallery', () => {
  it('is stored, and a step of a button counts', async () => {
    const page = `/project/${id}/settings/gallery?saved=1`;
    expect(await send(galleryOrderForm, { order: 'c.png a.png b.png' })).toMatchObject({ to: page });
    expect(await stored()).toEqual(['c.png', 'a.png', 'b.png']);
    await send(galleryOrderForm, { order: 'c.png a.png b.png', move: 'down c.png' });
    expect(await stored()).toEqual(['a.png', 'c.png', 'b.png']);
    expect(await edits()).toBe(2);
    await send(galleryOrderForm, { order: 'a.png c.png b.png' });
    expect(await edits()).toBe(2);
  });

  it('keeps images behind that it does not name, and knows none of others', async () => {
    await send(galleryOrderForm, { order: 'x.png c.png' });
    expect(await stored()).toEqual(['c.png', 'a.png', 'b.png']);
  });
});

describe('the texts of an image', () => {
  const caption = { picture: 'b.png', title: 'Night', description: 'A street', alt: 'Lamps over stones' };

  it('are stored and cleared, and the featured one is the only one', async () => {
    await send(galleryCaptionForm, { ...caption, picture: 'a.png', featured: 'on' });
    await send(galleryCaptionForm, { ...caption, featured: 'on' });
    const read = async () =>
      await database.sql`
      select title, description, alt, featured from gallery where project_id = ${id} order by raw_key`;
    const { picture: _, ...texts } = caption;
    expect(await read()).toMatchObject([
      { ...texts, featured: false },
      { ...texts, featured: true },
      { title: null, featured: false },
    ]);
    await send(galleryCaptionForm, { picture: 'b.png', title: ' ', description: '', alt: '' });
    expect((await read())[1]).toEqual({ title: null, description: null, alt: null, featured: false });
  });

  it('have limits, each said beside its field', async () => {
    const long = { title: 'x'.repeat(256), description: 'x'.repeat(2049), alt: 'x'.repeat(256) };
    const { status, details } = await send(galleryCaptionForm, { picture: 'b.png', ...long });
    expect(status).toBe(400);
    expect(details?.fields).toMatchObject([{ field: 'title' }, { field: 'description' }, { field: 'alt' }]);
  });

  it('of an image that is not there are refused', async () => {
    const { details } = await send(galleryCaptionForm, { ...caption, picture: 'x.png' });
    expect(details?.code).toBe('gallery_picture_unknown');
  });
});

it('an image is deleted', async () => {
  expect(await send(galleryRemoveForm, { picture: 'a.png' })).toMatchObject({
    to: `/project/${id}/settings/gallery?removed=1`,
  });
  expect(await stored()).toEqual(['b.png', 'c.png']);
});
