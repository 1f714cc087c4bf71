import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { appToken, session } from '../../testing/builders/credentials.ts';
import { testDatabase } from '../../testing/database.ts';
import { LastUsed } from './last-used.ts';
import { actorOf, actorsOf } from './read.ts';
import { type Actor, roles } from './rules.ts';
import { type Scope, tokenScopes, unrestrictedScopes } from './scopes/rules.ts';

const database = testDatabase();
const db_folder = join(import.meta.dirname, '../..');

/** A rule that asks only who somebody is. */
type RoleRule = (actor: Actor) => unknown;

/**
 * The rules of all areas that take an actor alone: those that read a role are among them, as are new ones, without being named
 * here.
 */
async function rulesOfActors(): Promise<Array<[name: string, rule: RoleRule]>> {
  const found: Array<[string, RoleRule]> = [];
  for (const path of globSync('**/*rules.ts', { cwd: db_folder })) {
    const exported = (await import(join(db_folder, path))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported))
      if (typeof value === 'function' && value.length === 1 && /^(whyNot|is(Admin|Moderator)$)/.test(name))
        found.push([`${path} ${name}`, value as RoleRule]);
  }
  return found;
}

/** What a rule says; a rule of something else than an actor says nothing here. */
function verdict(rule: RoleRule, actor: Actor): unknown {
  try {
    const said = rule(actor);
    return typeof said === 'function' ? null : said;
  } catch {
    return null;
  }
}

const actorFrom = async (token: string): Promise<Actor> => {
  const lastUsed = new LastUsed(database.sql);
  const now = new Date();
  const alone = await actorOf({ sql: database.sql, lastUsed }, token, now);
  // sockets read many at once
  const together = (await actorsOf(database.sql, [token], now)).get(token);
  expect(together).toEqual(alone);
  return alone;
};

describe.each(roles)('%s', (role) => {
  test('has the rights of the role in a session, and none of them by a token or an app', async () => {
    const { sql } = database;
    const person = await build.user(sql, { role });
    const plain = await build.user(sql);
    const rules = await rulesOfActors();
    const reading = rules.filter(
      ([, rule]) =>
        verdict(rule, build.actorFor(person, { role: 'admin' })) !== verdict(rule, build.actorFor(person)),
    );
    expect(reading.length).toBeGreaterThan(15);
    const callers: Array<[string, string, Scope[]]> = [
      ['token with all scopes', await build.token(sql, person, unrestrictedScopes), [...unrestrictedScopes]],
      ['app with all scopes', await appToken(sql, person), [...unrestrictedScopes]],
      ['app with a scope that no app can have', await appToken(sql, person, tokenScopes), [...tokenScopes]],
    ];
    for (const scope of unrestrictedScopes)
      callers.push([`token with ${scope}`, await build.token(sql, person, [scope]), [scope]]);
    for (const [name, token, scopes] of callers) {
      const actor = await actorFrom(token);
      expect(actor, name).toMatchObject({ role: 'developer', interactive: false });
      const nobody = build.actorFor(plain, { scopes: new Set(scopes), interactive: false });
      for (const [rule_name, rule] of reading)
        expect(verdict(rule, actor), `${rule_name} by ${name}`).toEqual(verdict(rule, nobody));
    }
    expect(await actorFrom(await session(sql, person))).toMatchObject({ role, interactive: true });
    expect(await actorFrom(await build.token(sql, person, ['STAFF']))).toMatchObject({ role });
  });
});
