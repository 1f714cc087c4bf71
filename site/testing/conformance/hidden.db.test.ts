import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import type { FormDefinition } from '../../platform/forms/form-definition.ts';
import { testApi } from '../api.ts';
import { servedRoutes } from '../reference/served.ts';
import { formSamples } from './form-samples.ts';
import { fill, request } from './request.ts';
import { filledPath, sampleOf } from './samples.ts';
import { type Caller, people, type World, world } from './world.ts';

/**
 * What is hidden from a caller looks as if it did not exist: every served route gives the same answer for both.
 * Source: api-behaviours §4.
 */
const database = testDatabase();
const api = testApi(database);
const outsiders = ['visitor', 'no scope', 'stranger'] as const satisfies Caller[];

/** What names something that may be hidden, among the fields of forms. */
const naming =
  /^(project|project_id|ids|team_id|organization|organization_id|version_id|collection|report|item|thread|message)$/;
/** Forms that only staff may send, or that the person whose it is: they refuse before they look. */
const guarded =
  /^\/_internal\/(notices$|moderation|takedowns(\/decide)?$|staff|technical-review|attribution-answer|webhooks\/(?!create))/;

/** Where the reference tells a hidden thing from a missing one, without saying anything of projects. */
const documented: Array<[route: RegExp, reason: string]> = [
  [/^(PATCH|DELETE) \/v[23]\/notification\/:id$/, "another user's are 401 (api-v2 §8)"],
];

/** Values of the world that name what is hidden, with values that name nothing. */
const nothing: Record<string, string> = {
  ...Object.fromEntries(
    'project slug version second_version team organization collection report notification thread message'
      .split(' ')
      .map((name) => [name, 'Nothing1']),
  ),
  hash: '0'.repeat(40),
  second_hash: '1'.repeat(40),
};

let hidden: World;
let missing: World;
let routes: string[];

beforeAll(async () => {
  const { sql } = database;
  const who = await people(sql);
  const draft = await world(sql, who, 'draft');
  const organization = await build.organization(sql, { owner: who.owner });
  await sql`update collections set status = 'private' where id = ${draft.values.collection!}`;
  hidden = { ...draft, values: { ...draft.values, organization: organization.id } };
  missing = { ...hidden, values: { ...hidden.values, ...nothing } };
  routes = servedRoutes(api.services).filter((route) => !/ \/_internal\//.test(route) && namesHidden(route));
});

/** Whether the right request of a route names one of the things that may be hidden. */
function namesHidden(route: string): boolean {
  const sample = sampleOf(route);
  const text = `${filledPath(route.split(' ')[1]!, sample.path)} ${JSON.stringify(sample)}`;
  return Object.keys(nothing).some((name) => text.includes(`{${name}}`));
}

/** Status and body of an answer, without the ids that the request named. */
async function answerOf(made: World, route: string, caller: Caller): Promise<string> {
  const answer = await request(api, made, route, { token: made.tokens[caller] });
  return `${answer.status} ${withoutIds(await answer.text(), made.values)}`;
}

const withoutIds = (text: string, values: World['values']): string => {
  const ids = new Set(Object.keys(nothing).map((name) => values[name]!));
  return text.replace(new RegExp([...ids].join('|'), 'gi'), '*');
};

const differs = async (route: string): Promise<string[]> => {
  const found: string[] = [];
  for (const caller of outsiders) {
    const [one, other] = [await answerOf(hidden, route, caller), await answerOf(missing, route, caller)];
    if (one !== other) found.push(`${route}, ${caller}: hidden ${one}, missing ${other}`);
  }
  return found;
};

describe('what is hidden', () => {
  test('looks as if it did not exist', { timeout: 120_000 }, async () => {
    const found: string[] = [];
    for (const route of routes) {
      if (!documented.some(([one]) => one.test(route))) found.push(...(await differs(route)));
    }
    expect(found).toEqual([]);
  });

  test('is told apart only where the reference says so', { timeout: 60_000 }, async () => {
    const same: string[] = [];
    for (const [one, reason] of documented) {
      const list = routes.filter((route) => one.test(route));
      const found = (await Promise.all(list.map(differs))).flat();
      if (found.length === 0) same.push(reason);
    }
    expect(same).toEqual([]);
  });

  test('includes the team of an organization', async () => {
    const { sql } = database;
    const [row] = await sql`select team_id from organizations where id = ${hidden.values.organization!}`;
    const project = hidden;
    hidden = { ...hidden, values: { ...hidden.values, team: row!.team_id } };
    const teams = routes.filter((route) => route.includes('/team'));
    expect(teams.length).toBeGreaterThan(8);
    expect((await Promise.all(teams.map(differs))).flat()).toEqual([]);
    hidden = project;
  });

  test('looks so to every form of our pages too', { timeout: 120_000 }, async () => {
    const { sql } = database;
    const [team] = await sql`select team, id from projects where id = ${hidden.values.project!}`;
    const worlds = [{ ...hidden.values, team: team!.team }, missing.values];
    const found: string[] = [];
    for (const [form, fields] of Object.entries(formSamples)) {
      for (const caller of ['visitor', 'stranger'] as const) {
        const [one, other] = await Promise.all(
          worlds.map(async (values, at) => {
            const json = JSON.parse(fill(JSON.stringify(fields), { name: 'nobody', ...values }));
            const token = hidden.tokens[caller];
            const address = `10.9.${at}.${found.length + 1}`;
            const answer = await api.call('POST', `/_internal/${form}`, {
              ...(token
                ? { token }
                : { headers: { origin: new URL(api.services.settings.SITE_URL).origin } }),
              json,
              address,
            });
            return `${answer.status} ${withoutIds(await answer.text(), values)}`;
          }),
        );
        if (caller === 'stranger' && one!.includes('"invalid_input"')) found.push(`${form}: ${one}`);
        if (one !== other) found.push(`${form}, ${caller}: hidden ${one}, missing ${other}`);
      }
    }
    expect(found).toEqual([]);
  });

  test('is tried with every form that names such a thing', async () => {
    const folder = fileURLToPath(new URL('../../', import.meta.url));
    const paths = globSync('**/*.ts', { cwd: folder })
      .filter((path) => !/\.test\.ts$|^testing\//.test(path))
      .map((path) => join(folder, path))
      .filter((path) => /\bdefine(Project|Picture)?Form\(/.test(readFileSync(path, 'utf8')));
    const modules = await Promise.all(paths.map((path) => import(path)));
    const forms = modules.flatMap((module) =>
      Object.values(module).filter(
        (one): one is FormDefinition =>
          typeof one === 'object' && one !== null && 'action' in one && 'shape' in one,
      ),
    );
    expect(forms.length).toBeGreaterThan(80);
    const untried = forms.filter(({ action, shape }) => {
      const { properties = {} } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
      return (
        Object.keys(properties).some((name) => naming.test(name)) &&
        !guarded.test(action) &&
        !(action.replace('/_internal/', '') in formSamples)
      );
    });
    expect(untried.map(({ action }) => action)).toEqual([]);
  });

  test('keeps the slug of a project in use without saying whose it is', async () => {
    const { slug, project } = hidden.values;
    const check = async (name: string) => await api.call('GET', `/v2/project/${name}/check`);
    expect(await (await check(slug!)).json()).toEqual({ id: null });
    expect((await check(project!)).status).toBe(404);
  });
});
