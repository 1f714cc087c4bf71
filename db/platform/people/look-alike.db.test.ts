import { expect, test } from 'vitest';
import { editUser } from '../../accounts/account/edit.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { createUser } from './write.ts';

const database = testDatabase();
const password = 'Copper lanterns hum softly';
const create = (username: string) =>
  database.sql.begin((tx) =>
    createUser(tx, { username, email: `${username}@example.test`, password, now: new Date() }),
  );

test.each([
  ['paypal', 'paypaI'],
  ['paypal2', 'paypa12'],
  ['modern', 'modem'],
  ['modern3', 'rnodern3'],
  ['0range', 'Orange'],
  ['wanda', 'vvanda'],
  ['stone_wright', 'stone-wright'],
  ['stone.cutter', 'STONE_CUTTER'],
])('with an account %j nobody becomes %j', async (first, second) => {
  await create(first);
  await expect(create(second)).rejects.toMatchObject({ code: 'username_confusable' });
});

test.each([
  ['mike', 'mlke'],
  ['robin', 'robina'],
  ['lantern1', 'lantern2'],
])('%j and %j are told apart', async (first, second) => {
  await create(first);
  expect(await create(second)).toMatch(/^\w{8}$/);
});

test('accounts that look alike already keep their names and may change their own', async () => {
  const [one] = [
    await build.user(database.sql, { username: 'elllie' }),
    await build.user(database.sql, { username: 'eIllie' }),
  ];
  const rename = (username: string) =>
    database.sql.begin((tx) =>
      editUser(tx, build.actorFor(one), one.id, { username, badges: undefined }, new Date()),
    );
  await rename('ellllie');
  await rename('El1llie');
  await expect(rename('e111ie')).rejects.toMatchObject({ code: 'username_confusable' });
});

test('of simultaneous sign-ups with names that look alike one succeeds', async () => {
  const names = ['willow', 'wiIIow', 'wi11ow', 'vvillow'];
  const outcomes = await Promise.allSettled(names.map(create));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
