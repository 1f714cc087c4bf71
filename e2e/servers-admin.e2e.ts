import { expect, type Page, test } from 'playwright/test';
import { scopesToNumber } from '#db/platform/people/scopes/rules.ts';
import { weigh } from '../bench/pages/weigh.ts';
import { signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { islandsBegun } from './islands-begun.ts';
import { inLanguage } from './pages.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';
import { type ScriptedNode, scriptedNode } from './scripted-node.ts';

/** What staff do with nodes and servers of others, with an agent scripted by the test. */
let server: RentedServer<ScriptedNode>;
let desk: Page;
/** The page of whose server it is. */
let theirs: Page;

test.beforeAll(async ({ browser }) => {
  server = await rentedServer(scriptedNode, { name: 'Slate', node_ram_mb: 6_144 });
  const pageOf = async (username: string) => {
    const page = await (await browser.newContext()).newPage();
    await signInAs(page, username);
    return page;
  };
  [desk, theirs] = [await pageOf('admin'), await pageOf(server.renter.username)];
});
test.afterAll(() => server?.close());

/** The page by all rules, or the dialog on it: what is below it was read before. */
async function isFine(page: Page, title: string): Promise<void> {
  const within = (await page.getByRole('dialog').count()) > 0 ? '[role=dialog], dialog[open]' : undefined;
  expect(await axeFinds(page, { within }), title).toEqual([]);
  await fitsPhone(page, title);
}
async function fitsPhone(page: Page, title: string): Promise<void> {
  const dialogs = await page.getByRole('dialog').count();
  await page.setViewportSize({ width: 390, height: 800 });
  // one that a phone hides is no dialog there
  await expect(page.getByRole('dialog'), title).toHaveCount(dialogs);
  expect(await page.evaluate(() => document.documentElement.scrollWidth), title).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 800 });
}
async function visit(path: string): Promise<void> {
  await desk.goto(path);
  await islandsBegun(desk);
}
const line = (text: string) => desk.getByRole('main').getByRole('listitem').filter({ hasText: text });
const dialog = () => desk.getByRole('dialog');
/** Opens the menu of a line and chooses from it. */
async function choose(of: string, action: string): Promise<void> {
  await line(of).getByLabel(`More: ${of}`).click();
  await line(of).getByRole('button', { name: action, exact: true }).click();
}

/** Finds the server by its owner, as it is after the page was asked. */
async function findSlate(): Promise<void> {
  await visit('/servers/admin/servers');
  await desk.getByLabel('Name, owner, address or ID').fill(server.renter.username.toUpperCase());
  await desk.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(desk.getByText('1 server', { exact: true })).toBeVisible();
  await islandsBegun(desk);
}

test('a node is added: its command is shown once, and joins a machine', async () => {
  const name = `desk-${Date.now().toString(36)}`;
  await visit('/servers/admin');
  await desk.getByRole('button', { name: 'Add a node' }).click();
  await expect(dialog().getByLabel('Name')).toBeFocused();
  await dialog().getByLabel('Name').fill(name);
  await dialog().getByLabel('Region').selectOption('southeast-asia');
  await dialog().getByLabel('Address for players').fill('https://play.example.org');
  await dialog().getByText('Ports and limits').click();
  await dialog().getByLabel('Last port').fill('99');
  await expect(dialog().getByText('Enter a number from 1,024 to 65,535.')).toBeVisible();
  await dialog().getByLabel('First port').fill('24700');
  await dialog().getByLabel('Last port').fill('24701');
  await dialog().getByLabel('Memory for servers (GB)').fill('6');
  await isFine(desk, 'add');
  await dialog().getByRole('button', { name: 'Add a node' }).click();
  await expect(dialog().getByRole('alert')).toContainText('isn’t a valid node address');
  await dialog().getByLabel('Address for players').fill('play.example.org');
  await dialog().getByRole('button', { name: 'Add a node' }).click();
  await expect(dialog()).toContainText(`Join ${name}`);
  const command = (await dialog().locator('code').textContent())!;
  expect(command).toMatch(/^npm run -s cairn -- agent --url http\S+ --join cnj_\w+$/);
  await expect(dialog().getByRole('button', { name: 'Copy: Join command' })).toBeFocused();
  await isFine(desk, 'join');
  await desk.keyboard.press('Escape');
  await expect(dialog()).toHaveCount(0);
  await expect(line(name)).toContainText('Not joined');
  const node = await scriptedNode(/--join (\S+)/.exec(command)![1]!);
  await expect(line(name)).toContainText('Online');
  node.close();
  await cairn('node', 'drain', name);
});

/** A token with the rights of staff, which only a session of somebody of staff makes. */
const staffToken = (page: Page): Promise<string> =>
  page.evaluate(
    async (scopes) => {
      const expires = new Date(Date.now() + 86_400_000).toISOString();
      const body = JSON.stringify({ name: 'The command line', scopes, expires });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch('/v2/pat', { method: 'POST', headers, body });
      return ((await answer.json()) as { access_token: string }).access_token;
    },
    scopesToNumber(['SERVER_READ', 'SERVER_WRITE', 'STAFF']),
  );

test('a server is found, suspended, resumed and resized, and its renter sees it', async () => {
  const { id, node, node_name } = server;
  await findSlate();
  await expect(line('Slate')).toContainText('Stopped');
  await expect(line('Slate')).toContainText(node_name);
  await isFine(desk, 'servers');
  const token = await staffToken(desk);
  const found = await cairn('server', '--token', token, 'find', `:${node.specs.get(id)!.port}`, '--json');
  expect(JSON.parse(found).servers.map(({ server }: { server: { id: string } }) => server.id)).toContain(id);

  await theirs.goto(`/servers/manage/${id}`);
  const state = theirs.getByRole('main').locator('.badge').first();
  await expect(state).toHaveText('Stopped');
  await choose('Slate', 'Suspend');
  await dialog().getByLabel('Reason').selectOption('Other');
  await expect(dialog()).toContainText('Shown to its owner: It’s not available right now.');
  await isFine(desk, 'suspend');
  await dialog().getByRole('button', { name: 'Suspend', exact: true }).click();
  await expect(line('Slate')).toContainText('Suspended');
  await expect(state).toHaveText('Suspended');
  await expect(theirs.getByText('It’s not available right now.').first()).toBeVisible();
  await choose('Slate', 'Lift suspension');
  await expect(state).toHaveText('Stopped');
  await expect(line('Slate')).toContainText('Stopped');

  await choose('Slate', 'Resize');
  await dialog().getByLabel('Memory (GB)').fill('64');
  await dialog().getByRole('button', { name: 'Resize', exact: true }).click();
  await expect(dialog().getByRole('alert')).toContainText('fewer cores or less memory');
  await dialog().getByLabel('Memory (GB)').fill('5');
  await dialog().getByRole('button', { name: 'Resize', exact: true }).click();
  await expect(line('Slate')).toContainText('5 GB memory');
  await expect(line('Slate')).toContainText('Upgrading');
  await expect.poll(() => node.specs.get(id)?.ram_mb).toBe(5120);
  await node.installed(id);
  await expect(line('Slate')).toContainText('Stopped');
});

test('a move is refused without another node, and says why', async () => {
  await findSlate();
  await choose('Slate', 'Move to another node');
  await expect(dialog()).toContainText('The least used node in its region');
  await isFine(desk, 'move');
  await dialog().getByRole('button', { name: 'Move', exact: true }).click();
  await expect(dialog().getByRole('alert')).toContainText('No other machine in its region has room');
  await desk.keyboard.press('Escape');
  await expect(line('Slate')).toContainText('Stopped');
  await desk.getByRole('link', { name: 'Moves', exact: true }).click();
  await expect(desk.getByRole('heading', { name: /No moves yet|In progress/ })).toBeVisible();
  await isFine(desk, 'moves');
  await desk.getByRole('link', { name: 'DNS zone' }).click();
  await expect(desk.locator('pre')).toContainText('$ORIGIN servers.cairn.test.');
  await isFine(desk, 'dns');
});

test('a node is emptied with what stays, drained, and neither removed nor given up by mistake', async () => {
  const { node_name: name } = server;
  await visit('/servers/admin');
  await line(name).getByLabel(`More: ${name}`).click();
  for (const [action, why] of [
    ['Remove node', /Game servers still on this node: 1/],
    ['Mark as lost', /still connected/],
  ] as const) {
    const button = line(name).getByRole('button', { name: action });
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await expect(button).toHaveAttribute('data-tip', why);
  }
  await isFine(desk, 'nodes');
  await line(name).getByRole('button', { name: 'Move servers away' }).click();
  await dialog().getByRole('button', { name: 'Drain and move' }).click();
  await expect(dialog()).toContainText('1 server stays:');
  await expect(dialog()).toContainText('No other machine in its region has room');
  await isFine(desk, 'emptied');
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await expect(line(name)).toContainText('Draining');
  await line(name).getByRole('button', { name: 'Stop draining' }).click();
  await expect(line(name)).toContainText('Online');
  await line(name).getByRole('button', { name: 'Drain' }).click();
  await dialog().getByRole('button', { name: 'Drain' }).click();
  await expect(line(name)).toContainText('Draining');
});

test('the pages are light, in every language, and hidden from others', async () => {
  for (const path of ['', '/servers', '/moves', '/dns']) {
    expect((await theirs.request.get(`/servers/admin${path}`)).status(), path).toBe(404);
    const { script_bytes } = await weigh(desk, `/servers/admin${path}`);
    // 57 kB of React, 13 kB of Socket.IO, 15 kB of every page, 15 kB of its own
    expect.soft(script_bytes, `scripts of ${path}`).toBeLessThanOrEqual(100_000);
    await visit(inLanguage(`/servers/admin${path}`, 'ar-SA'));
    await fitsPhone(desk, path);
  }
});
