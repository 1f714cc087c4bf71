import { randomBytes } from 'node:crypto';
import { type Browser, type BrowserContextOptions, expect, type Page } from 'playwright/test';
import { zipOf } from '../db/testing/zips.ts';
import { type Account, newAccount, signInAs } from './accounts.ts';

/** People who work together, each in a browser of their own, and what they own. */
let count = 0;

export interface Person extends Account {
  page: Page;
}

/** A new account with a verified address, signed in. */
export async function person(browser: Browser, options: BrowserContextOptions = {}): Promise<Person> {
  const account = await newAccount('mate');
  const page = await (await browser.newContext(options)).newPage();
  await signInAs(page, account.username);
  return { page, ...account };
}

export interface TeamProject {
  id: string;
  slug: string;
  team: string;
  path: string;
}

/** A draft of the person, without a version. */
export async function draftOf({ page, token }: Person, name: string): Promise<TeamProject> {
  const slug = `${name}-${Date.now().toString(36)}${++count}`;
  const data = {
    slug,
    title: `Made ${slug}`,
    description: 'Stones in rows, and what lies behind them',
    body: 'Look at the stones.',
    project_type: 'mod',
    client_side: 'required',
    server_side: 'optional',
    categories: [],
    license_id: 'MIT',
    initial_versions: [],
    is_draft: true,
  };
  const headers = { authorization: token };
  const answer = await page.request.post('/v2/project', {
    headers,
    multipart: { data: JSON.stringify(data) },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  const { id, team } = (await answer.json()) as { id: string; team: string };
  return { id, team, slug, path: `/project/${id}` };
}

/** Gives a draft what a review needs: a version and a description. */
export async function finishDraft({ page, token }: Person, { id, slug }: TeamProject): Promise<void> {
  const headers = { authorization: token };
  const body = 'Stones that stand in rows, and what lies behind them. '.repeat(5);
  const patched = await page.request.patch(`/v2/project/${id}`, { headers, data: { body } });
  expect(patched.status(), await patched.text()).toBe(204);
  const manifest = JSON.stringify({ schemaVersion: 1, id: 'rows', version: '1.0.0', name: slug });
  const buffer = await zipOf({ 'fabric.mod.json': manifest, noise: randomBytes(64) });
  const data = {
    project_id: id,
    name: 'Rows',
    version_number: '1.0.0',
    dependencies: [],
    game_versions: ['1.21.1'],
    version_type: 'release',
    loaders: ['fabric'],
    featured: false,
    file_parts: ['jar'],
    environment: 'client_and_server',
  };
  const jar = { name: `${slug}.jar`, mimeType: 'application/java-archive', buffer };
  const multipart = { data: JSON.stringify(data), jar };
  const answer = await page.request.post('/v3/version', { headers, multipart });
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** Invites somebody into a team, who accepts when `joins`. */
export async function addToTeam(
  owner: Person,
  team: string,
  member: Person,
  given: { role?: string; permissions?: number; organization_permissions?: number; joins?: boolean } = {},
): Promise<void> {
  const { joins = true, ...data } = given;
  const answer = await owner.page.request.post(`/v3/team/${team}/members`, {
    headers: { authorization: owner.token },
    data: { user_id: member.id, ...data },
  });
  expect(answer.status(), await answer.text()).toBe(204);
  if (!joins) return;
  const joined = await member.page.request.post(`/v3/team/${team}/join`, {
    headers: { authorization: member.token },
  });
  expect(joined.status()).toBe(204);
}
