import { type APIRequestContext, expect, type Page, test } from 'playwright/test';
import { demoAccounts, demoPassword } from '../db/demo/demo.ts';
import { zipOf } from '../db/testing/zips.ts';
import { cairn } from './cairn.ts';

const password = 'Copper lanterns hum softly';
let made = 0;
const newName = (what: string) => `${what}-${Date.now().toString(36)}${++made}`;

async function signIn(page: Page, username: string, word: string): Promise<void> {
  await page.getByLabel('Email or username').fill(username);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function publish(request: APIRequestContext, token: string, slug: string, title: string) {
  const jar = await zipOf({
    'fabric.mod.json': JSON.stringify({ schemaVersion: 1, id: slug, version: '1.0.0', name: title }),
  });
  const version = {
    name: 'First stones',
    version_number: '1.0.0',
    changelog: 'Everything is *new*.',
    dependencies: [],
    game_versions: ['1.21.1'],
    version_type: 'release',
    loaders: ['fabric'],
    featured: true,
    file_parts: ['jar'],
  };
  const data = {
    slug,
    title,
    description: 'A path of stones across the marsh',
    body: '## Why\n\nBecause the marsh is **wet**.',
    project_type: 'mod',
    client_side: 'required',
    server_side: 'optional',
    categories: ['utility'],
    license_id: 'MIT',
    initial_versions: [version],
  };
  const answer = await request.post('/v2/project', {
    headers: { authorization: token },
    multipart: {
      data: JSON.stringify(data),
      jar: { name: `${slug}.jar`, mimeType: 'application/java-archive', buffer: jar },
    },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return jar;
}

test('a new user signs up, out and in again', async ({ page }) => {
  const username = newName('walker');
  await page.goto('/mod/lanternroot');
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Create account' }).click();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@example.test`);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Repeat password').fill('something else');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Passwords do not match!').filter({ visible: true })).toHaveCount(1);
  await expect(page.getByLabel('Username')).toHaveValue(username);
  await page.getByLabel('Repeat password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL('/mod/lanternroot');

  await page.getByLabel(`Your account, ${username}`).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/');
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, username, 'not this one');
  await expect(page.getByText('Wrong username or password').filter({ visible: true })).toHaveCount(1);
  await signIn(page, username, password);
  await expect(page.getByLabel(`Your account, ${username}`)).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('signing in and out works, with errors beside the fields', async ({ page }) => {
    await page.goto('/auth/sign-in?redirect=%2Fmods');
    await signIn(page, demoAccounts[0]!, 'not this one');
    await expect(page.getByText('Wrong username or password')).toBeVisible();
    await signIn(page, demoAccounts[0]!, demoPassword);
    await expect(page).toHaveURL('/mods');
    await page.goto('/auth/sign-in');
    await expect(page.getByText(`You’re signed in as ${demoAccounts[0]}.`)).toBeVisible();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto('/auth/sign-in');
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  });
});

test('signing in never redirects to another site', async ({ page }) => {
  await page.goto('/auth/sign-in?redirect=https%3A%2F%2Fevil.example%2F');
  await signIn(page, demoAccounts[0]!, demoPassword);
  await expect(page).toHaveURL('/');
});

test('a creator publishes with a token and finds the project in search', async ({ page, request }) => {
  const username = newName('mason');
  const slug = newName('causeway');
  const title = `Causeway ${slug.split('-')[1]}`;
  await cairn(
    'user',
    'create',
    '--username',
    username,
    '--email',
    `${username}@example.test`,
    '--password',
    password,
  );
  const token = await cairn('token', 'create', '--user', username, '--scopes', 'all', '--days', '1');
  const jar = await publish(request, token, slug, title);

  await page.goto(`/mod/${slug}`);
  await expect(page.getByRole('heading', { name: 'Project not found' })).toBeVisible();
  await page.goto(`/auth/sign-in?redirect=%2Fmod%2F${slug}`);
  await signIn(page, username, password);
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  await expect(page.getByRole('note').getByText('Under review')).toBeVisible();

  await page.goto(`/mods?q=${slug}`);
  await cairn('project', 'status', slug, 'approved');
  const visible = async () => {
    await page.reload();
    return await page.getByRole('link', { name: title }).count();
  };
  await expect.poll(visible, { intervals: [100] }).toBe(1);
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  await expect(page.getByText('Under review')).toBeHidden();
  await page.getByRole('link', { name: /^Versions/ }).click();
  const link = page.getByRole('row').getByRole('link', { name: /^Download/ });
  const href = await link.first().getAttribute('href');
  expect(await (await request.get(href!)).body()).toEqual(jar);
  await page.getByRole('link', { name: /First stones/ }).click();
  await expect(page.getByText('Everything is new.')).toBeVisible();
});

test('a hidden project disappears for visitors at once', async ({ page, request }) => {
  const username = newName('mason');
  const slug = newName('culvert');
  await cairn(
    'user',
    'create',
    '--username',
    username,
    '--email',
    `${username}@example.test`,
    '--password',
    password,
  );
  const token = await cairn('token', 'create', '--user', username, '--scopes', 'all', '--days', '1');
  await publish(request, token, slug, `Culvert ${slug}`);
  await cairn('project', 'status', slug, 'approved');
  const status = async () => (await page.goto(`/mod/${slug}`))?.status();
  await expect.poll(status).toBe(200);
  const hidden = await request.patch(`/v2/project/${slug}`, {
    headers: { authorization: token },
    data: { status: 'private' },
  });
  expect(hidden.status()).toBe(204);
  await expect.poll(status, { timeout: 2000, intervals: [50] }).toBe(404);
});
