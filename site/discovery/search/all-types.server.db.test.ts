import { beforeAll, expect, it } from 'vitest';
import { messages } from '#content/messages.ts';
import { indexConsumer } from '#db/discovery/search/documents/index-consumer.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { destinationOf } from './all-types.server.ts';

const database = testDatabase();

const leads = (query: string, locale = 'en-US') =>
  destinationOf(
    { search: postgresEngine(database.sql), settings: database.settings },
    messages(locale),
    new URLSearchParams(query),
  );

beforeAll(async () => {
  const { sql } = database;
  const add = async (title: string, loader: string, categories: string[] = []) =>
    await build.version(sql, await build.project(sql, { title, categories }), { loaders: [loader] });
  await add('Glow Mod', 'fabric');
  await add('Sand', 'minecraft');
  await add('Glow Shine', 'iris');
  await add('Glow Sky', 'iris');
  await add('Night Sky', 'iris');
  for (const title of ['Night Lamp', 'Night Watch', 'Night Shift']) await add(title, 'paper');
  await add('Paper Shader', 'paper', ['kitchen-sink']);
  const reader = indexConsumer(sql, postgresEngine(sql));
  while ((await reader.step()) > 0);
});

it.each([
  ['q=glow', '/shaders?q=glow', 'the type with most hits'],
  ['q=night+sky', '/shaders?q=night+sky', 'no type where only one of the words fits'],
  ['q=glow&in=mod', '/mods?q=glow', 'the type of the page when it has hits'],
  ['q=night&in=mod', '/plugins?q=night', 'else the type with most hits'],
  ['q=night&in=nonsense&s=newest&f=magic', '/plugins?q=night&s=newest', 'words and order go along'],
  ['q=night&in=mod&g=fabric', '/mods?q=night&g=fabric', 'filters keep the type'],
  [
    'q=glow&in=mod&s=newest&m=50&hl=de',
    '/mods?q=glow&s=newest&m=50',
    'in its own type everything goes along',
  ],
  ['q=shader', '/shaders', 'a type by its name, before projects of that name'],
  ['q=SHADERS&in=mod', '/shaders', 'a type by its plural'],
  ['q=texture+pack', '/resourcepacks', 'a type by another word'],
  ['q=economy', '/mods?q=economy', 'not a category without projects'],
  ['q=datapack', '/mods?q=datapack', 'not a type without projects'],
  ['q=qqqqqzzzzz', '/mods?q=qqqqqzzzzz', 'mods when nothing is found'],
  ['q=qqqqqzzzzz&in=plugin', '/plugins?q=qqqqqzzzzz', 'the type of the page when nothing is found'],
  ['', '/mods', 'mods without words'],
  ['q=+&in=shader&s=newest&m=20', '/shaders?s=newest', 'the type of the page without words'],
  ['q=の', '/mods?q=%E3%81%AE', 'one letter of another script'],
])('%j leads to %s: %s', async (query, expected) => {
  expect(await leads(query)).toBe(expected);
});

it('knows the names in the language of the page', async () => {
  expect(await leads('q=Shader', 'de-DE')).toBe('/shaders');
  expect(await leads(new URLSearchParams({ q: 'مظلل' }).toString(), 'ar-SA')).toBe('/shaders');
  // a category by its name, when nothing is called like it
  expect(await leads(new URLSearchParams({ q: 'من كل شيء' }).toString(), 'ar-SA')).toBe(
    '/plugins?f=kitchen-sink',
  );
});

it('takes 2,000 letters and no more', async () => {
  const path = await leads(new URLSearchParams({ q: 'ß'.repeat(3000) }).toString());
  expect(new URLSearchParams(path.split('?')[1]).get('q')).toHaveLength(2000);
});
