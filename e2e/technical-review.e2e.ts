import { type APIRequestContext, expect, type Locator, type Page, test } from 'playwright/test';
import { demoAccounts } from '../db/demo/demo.ts';
import { classFile, type Op } from '../db/testing/class-files.ts';
import { zipOf } from '../db/testing/zips.ts';
import { signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { type ProjectFixture, projectFixture } from './project-fixture.ts';

/** From an upload to a decision: a harmful file, a false alarm, external files. The scanner is the real one. */
const [, moderator, creator] = demoAccounts;

/** Publishes a version whose jar has one class of this code, as publishing tools do. */
async function publish(request: APIRequestContext, project: ProjectFixture, number: string, code: Op[]) {
  const name = `com/example/C${number.replaceAll('.', '_')}`;
  const bytes = await zipOf({
    'fabric.mod.json': '{"schemaVersion": 1, "id": "stones", "version": "1"}',
    [`${name}.class`]: classFile({ name, methods: { run: code } }),
  });
  return await publishFile(request, project, number, { name: `stones-${number}.jar`, bytes });
}

/** Publishes a version with this file; gives its id. */
async function publishFile(
  request: APIRequestContext,
  { slug, token }: ProjectFixture,
  number: string,
  { name, bytes }: { name: string; bytes: Buffer },
) {
  const headers = { authorization: token };
  const project = (await (await request.get(`/v2/project/${slug}`, { headers })).json()) as { id: string };
  const data = {
    ...{
      project_id: project.id,
      name: number,
      version_number: number,
      version_type: 'release',
      featured: false,
    },
    ...{ dependencies: [], game_versions: ['1.21.1'], loaders: ['fabric'], file_parts: ['file'] },
  };
  const file = { name, mimeType: 'application/java-archive', buffer: bytes };
  const answer = await request.post('/v2/version', {
    headers,
    multipart: { data: JSON.stringify(data), file },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  const version = (await answer.json()) as { id: string; files: Array<{ url: string }> };
  return { id: version.id, project_id: project.id, file: version.files[0]!.url };
}
const statusOf = async (request: APIRequestContext, id: string) =>
  (await request.get(`/v2/version/${id}`)).status();
const traceOf = (page: Page, type: string) =>
  page.locator('.issue', { has: page.getByRole('heading', { name: type }) }).locator('.trace');
/** Presses a button that sends a form, and waits for the page that follows. */
async function press(page: Page, button: Locator): Promise<void> {
  const next = page.waitForEvent('load');
  await button.click();
  await next;
}

test('a harmful file is hidden within seconds, examined, and the same code found elsewhere', async ({
  page,
  request,
}) => {
  const command = `helper-${Date.now()}`;
  const code: Op[] = [
    ['text', command],
    ['call', 'java/lang/Runtime.exec'],
  ];
  const [harmful, other] = [
    await projectFixture(request, 'harmful', {}),
    await projectFixture(request, 'elsewhere', {}),
  ];
  const bad = await publish(request, harmful, '2.0.0', [
    ...code,
    ['text', 'https://discord.com/api/webhooks/1/stolen'],
  ]);
  const same = await publish(request, other, '2.0.0', code);
  const also = await publish(request, harmful, '2.0.1', code);
  await expect.poll(() => statusOf(request, bad.id), { timeout: 15_000 }).toBe(404);
  await expect.poll(async () => (await request.get(bad.file)).status()).toBe(404);
  expect(await statusOf(request, same.id)).toBe(200);

  await signInAs(page, moderator!);
  await page.goto('/moderation/technical-review?issue=chat_webhook');
  await page.getByRole('link', { name: `Made ${harmful.slug}` }).click();
  const chat = traceOf(page, 'Sends data to a chat webhook');
  await expect(chat).toContainText('https://discord.com/api/webhooks/1/stolen');
  await chat.getByText('Show code').click();
  await expect(chat.locator('pre')).toContainText('java/lang/Runtime.exec');
  expect(await axeFinds(page)).toEqual([]);
  await expect(page.getByRole('button', { name: 'Project is safe' })).toBeDisabled();
  await press(page, chat.getByRole('button', { name: /^Unsafe: / }));
  await expect(chat.getByText('Unsafe', { exact: true }).first()).toBeVisible();
  // the program is started by the same code in another project
  const starts = page.locator('.trace', { hasText: 'C2_0_1.class#run' });
  await expect(starts).toContainText('Also in 1 other project');
  await starts.getByText('This code everywhere').click();
  await press(page, starts.getByRole('button', { name: /^Unsafe everywhere: / }));
  await expect.poll(() => statusOf(request, same.id), { timeout: 15_000 }).toBe(404);
  expect(await statusOf(request, also.id)).toBe(404);
  const undecided = page.locator('.trace', { hasText: 'Undecided' });
  while ((await undecided.count()) > 0) {
    await press(page, undecided.first().getByRole('button', { name: /^Unsafe: / }));
    await expect(page.getByText('Saved')).toBeVisible();
  }
  await page.getByText('Project is unsafe').click();
  await page.getByRole('button', { name: 'Reject as malware' }).click();
  await expect(page.getByText('The project was rejected, and its files are blocked.')).toBeVisible();
  expect((await request.get(harmful.path)).status()).toBe(404);
  // the other project waits for a person too
  await page.goto('/moderation/technical-review');
  await expect(page.getByRole('link', { name: `Made ${other.slug}` })).toBeVisible();
  // a verdict about code everywhere is found again, with its places, and taken back
  await page.getByRole('link', { name: 'Decisions for all files' }).click();
  await page.getByRole('textbox', { name: 'Search', exact: true }).fill(command);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('link', { name: 'Show where' }).click();
  await expect(page.getByRole('link', { name: `Made ${other.slug}` })).toBeVisible();
  await expect(page.locator('pre')).toContainText(command);
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('button', { name: 'Withdraw decision' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.goto(`/moderation/technical-review/code?q=${command}`);
  await expect(page.getByText('No decisions for all files')).toBeVisible();
});

test('a false alarm: the creator reads why and answers, a moderator releases the version', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const project = await projectFixture(request, 'alarm', {});
  const { id, project_id } = await publish(request, project, '3.0.0', [
    ['text', 'https://discord.com/api/webhooks/3/status'],
  ]);
  await expect.poll(() => statusOf(request, id), { timeout: 15_000 }).toBe(404);

  await signInAs(page, creator!);
  await page.goto(`${project.path}/version/${id}`);
  await expect(page.getByText('Hidden by technical review')).toBeVisible();
  await expect(page.getByText('Findings: Sends data to a chat webhook')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('link', { name: 'Reply in the thread' }).click();
  await expect(page.getByText(/Version 3\.0\.0 is hidden until our staff have checked it/)).toBeVisible();

  await signInAs(page, moderator!);
  await page.goto(`/moderation/technical-review/${project_id}`);
  // one place to write while something is to be decided
  await expect(page.getByText('Write a message without deciding')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Your message' })).toHaveCount(0);
  await expect(page.getByLabel('Message to the creators')).toBeVisible();
  await traceOf(page, 'Sends data to a chat webhook')
    .getByRole('button', { name: /^Safe: / })
    .click();
  await expect(page.getByText('All findings decided')).toBeVisible();
  await page.getByLabel('Message to the creators').fill('A status message, as its page says.');
  await page.getByRole('button', { name: 'Project is safe' }).click();
  await expect(page.getByText('Anything hidden is public again.')).toBeVisible();
  await expect.poll(() => statusOf(request, id)).toBe(200);
  await page.context().clearCookies();
  await page.goto(`${project.path}/version/${id}`);
  await expect(page.getByRole('heading', { name: 'Malware scan' })).toBeVisible();
});

test('files from elsewhere in a modpack: the team answers, and staff decide once for every later pack', async ({
  page,
  request,
}) => {
  const stamp = Date.now();
  const jar = (name: string) =>
    zipOf({ 'fabric.mod.json': `{"schemaVersion": 1, "id": "${name}", "version": "${stamp}"}` });
  const index = { game: 'minecraft', formatVersion: 1, versionId: '1', name: 'Pack', files: [] };
  const bytesOf = async (...names: string[]) =>
    await zipOf({
      'modrinth.index.json': JSON.stringify({
        ...index,
        dependencies: { minecraft: '1.21.1', 'fabric-loader': '0.16.0' },
      }),
      ...Object.fromEntries(
        await Promise.all(names.map(async (name) => [`overrides/mods/${name}.jar`, await jar(name)])),
      ),
    });
  const first = await projectFixture(request, 'pack-first', {});
  const own = await publishFile(request, first, '5.0.0', {
    name: 'first.mrpack',
    bytes: await bytesOf('foreign'),
  });
  await expect.poll(() => statusOf(request, own.id), { timeout: 15_000 }).toBe(404);

  await signInAs(page, creator!);
  await page.goto(`${first.path}/version/${own.id}`);
  await expect(page.getByText('Hidden: some files need an answer')).toBeVisible();
  await page.getByRole('link', { name: 'Answer', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'foreign.jar' })).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByLabel('License', { exact: true }).fill('MIT');
  await page.getByRole('button', { name: 'Save: foreign.jar' }).click();
  await expect(page.getByLabel('Link to the work')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('License', { exact: true })).toHaveValue('MIT');
  await page.getByLabel('Link to the work').fill('https://work.example.org/');
  await page.getByRole('button', { name: 'Save: foreign.jar' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByText('Answered', { exact: true })).toBeVisible();
  await expect.poll(() => statusOf(request, own.id)).toBe(200);

  await signInAs(page, moderator!);
  await page.goto(`/moderation/technical-review/${own.project_id}`);
  await expect(page.getByText('1 file is unidentified')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByLabel('Modpacks may include it').selectOption('with-attribution');
  await page.getByLabel('Title of the work').fill('A work of somebody');
  await page.getByRole('button', { name: 'Save: foreign.jar' }).click();
  await expect(page.getByText('Every file is identified')).toBeVisible();
  // the same file in another pack needs no answer any more, another one does
  const second = await projectFixture(request, 'pack-second', {});
  const next = await publishFile(request, second, '5.0.0', {
    name: 'next.mrpack',
    bytes: await bytesOf('foreign', 'other'),
  });
  await expect.poll(() => statusOf(request, next.id), { timeout: 15_000 }).toBe(404);
  await page.goto(`/moderation/technical-review/${next.project_id}`);
  await expect(page.getByText('A work of somebody', { exact: true })).toBeVisible();
  await page.goto(`${second.path}/settings/attribution`);
  await expect(page.getByRole('heading', { name: 'other.jar' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'foreign.jar' })).toHaveCount(0);
  // staff change their mind about the work: the pack that was public is hidden
  await page.goto('/moderation/technical-review/works?q=somebody');
  await page.getByText('Edit', { exact: true }).click();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByLabel('Link', { exact: true }).fill('no address');
  await page.getByLabel('Modpacks may include it').selectOption('permanent-no');
  await page.getByRole('button', { name: 'Save: A work of somebody' }).click();
  await expect(page.getByLabel('Link', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Link', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Save: A work of somebody' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect.poll(() => statusOf(request, own.id)).toBe(404);
});
