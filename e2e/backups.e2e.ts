import { expect, type Page, test } from 'playwright/test';
import type { BackupState, BackupView } from '../db/hosting/servers/backups/view.ts';
import type { AnsweredPanel, Answers } from './answered-requests.ts';
import { axeFinds } from './axe.ts';
import { unreachable, untranslated } from './page-checks.ts';
import { inLanguage } from './pages.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';
import { type ScriptedNode, scriptedNode } from './scripted-node.ts';

/** The page of a server's backups: every state, what is asked of the control plane, and what its refusals look like. */
let server: RentedServer<ScriptedNode>;
let node: ScriptedNode;
let id: string;
let address: string;

test.beforeAll(async () => {
  server = await rentedServer(scriptedNode);
  ({ node, id } = server);
  address = `${server.address}/backups`;
});
test.afterAll(() => server?.close());

const mb = 1024 ** 2;
let count = 0;
function backup(state: BackupState, name: string, more: Partial<BackupView> = {}): BackupView {
  const hours = ++count * 5;
  return {
    ...{ id: `BACKUP${count}`, name, state, progress: null, error: null, locked: false, automated: false },
    ...{ reason: 'user', created: new Date(Date.now() - hours * 3_600_000).toISOString(), ended: null },
    ...{ bytes: 318 * mb, content_bytes: 980 * mb, files: 2_791, changed: [], changed_count: 0 },
    ...{ game_version: '1.16.5', loader: null, engine: 'archive', target: 'node', verified: null },
    ...more,
  };
}
const unmade = { bytes: null, content_bytes: null, files: null };
const retention = { every_hours: 6, last: 3, hourly: 0, daily: 7, weekly: 4 };
const refused = (error: string, status: number, description: string, more = {}) => ({
  ...{ ok: false, error, status, description, ...more },
});

async function open(
  page: Page,
  backups: readonly BackupView[],
  answers: Answers = {},
  path = address,
): Promise<AnsweredPanel> {
  const all = { 'backups.list': () => ({ ok: true, backups, most: 15, retention }), ...answers };
  const panel = await server.openAnswered(page, all, path);
  await expect(page.locator('.bks')).toBeAttached();
  return panel;
}
const line = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Backups' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });

/** One of every state. */
const every = (): BackupView[] => [
  backup('queued', 'Before the new biomes', unmade),
  backup('creating', 'Nightly 9', {
    ...{ ...unmade, automated: true, reason: 'schedule', progress: { done: 410 * mb, total: 976 * mb } },
  }),
  backup('failed', 'Nightly 8', {
    ...{ ...unmade, automated: true, reason: 'schedule', error: { code: 'disk_full', retryable: true } },
  }),
  backup('done', 'Before the flood', { locked: true, verified: new Date().toISOString() }),
  backup('preparing', 'Old valley', { progress: { done: 12 * mb, total: null } }),
  backup('done', 'Nightly 7', {
    ...{ automated: true, reason: 'schedule', changed_count: 120 },
    changed: Array.from({ length: 100 }, (_, i) => `world/region/r.${i}.0.mca`),
  }),
  backup('unchanged', 'Nightly 6', { automated: true, reason: 'schedule', bytes: 0 }),
  backup('done', 'Before restoring', {
    ...{ automated: true, reason: 'safety', error: { code: 'backup_interrupted', retryable: true } },
  }),
  backup('restoring', 'Spring', { progress: { done: 1 * mb, total: 980 * mb } }),
  backup('verifying', 'Winter', { progress: null }),
  backup('cancelled', 'Autumn', unmade),
  backup('deleting', 'Summer'),
  backup('damaged', 'Backup #3'),
];

test('every state is shown, accessible and fits a phone', async ({ page }) => {
  await open(page, every());
  await expect(page.getByRole('heading', { name: '10 of 15 backups' })).toBeVisible();
  await expect(line(page, 'Before the new biomes')).toContainText('Queued');
  await expect(line(page, 'Nightly 9')).toContainText('42%');
  await expect(line(page, 'Nightly 9').getByRole('progressbar')).toHaveAccessibleName('Nightly 9: Creating');
  await expect(line(page, 'Nightly 8')).toContainText(
    'Failed to create backup. The disk of this server is full.',
  );
  await expect(line(page, 'Before the flood')).toContainText('Locked');
  await expect(line(page, 'Before the flood')).toContainText('Verified');
  await expect(line(page, 'Old valley')).toContainText('Preparing download');
  await expect(line(page, 'Nightly 6')).toContainText('Nothing changed since');
  await expect(line(page, 'Winter')).toContainText('Verifying');
  await expect(line(page, 'Autumn')).toContainText('Canceled');
  await expect(line(page, 'Summer')).toContainText('Deleting');
  await expect(line(page, 'Backup #3')).toContainText('Damaged');
  await line(page, 'Nightly 7').getByText('120 files changed during the backup').click();
  await expect(line(page, 'Nightly 7')).toContainText('world/region/r.99.0.mca');
  await expect(line(page, 'Nightly 7')).toContainText('and 20 more');
  // something is in progress: said beside the button, which stays reachable
  const create = page.getByRole('button', { name: 'Create backup' });
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await expect(create).toHaveAccessibleDescription(/Another backup is in progress/);
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('long words fit a phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, every(), {}, inLanguage(address, 'en-XA'));
  await expect(page.locator('.bks > li')).toHaveCount(13);
  expect(await page.evaluate(untranslated, undefined)).toEqual([]);
  expect(await page.evaluate(unreachable), 'what only a pointer reaches').toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('right to left, in Arabic', async ({ page }) => {
  await open(page, every(), {}, inLanguage(address, 'ar-SA'));
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('a backup is made: a taken name is said in place, a refusal in the dialog', async ({ page }) => {
  const known = [backup('done', 'Backup #4')];
  let answer: object = refused('backup_target_failed', 502, 'The backup storage doesn’t work: full.');
  const panel = await open(page, known, { 'backups.create': () => answer });
  await page.getByRole('button', { name: 'Create backup' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create backup' });
  const name = dialog.getByLabel('Name');
  await expect(name).toBeFocused();
  await expect(name).toHaveAttribute('placeholder', 'Backup #5');
  await name.fill('backup #4');
  await expect(dialog).toContainText('Another backup of this server has this name.');
  await page.keyboard.press('Enter');
  expect(panel.asked.filter((one) => one.name === 'backups.create')).toEqual([]);
  await name.fill('x'.repeat(49));
  await expect(dialog).toContainText('Backup names must be 1 to 48 characters long.');
  await name.fill('Before the flood');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('Failed to create backup');
  await expect(dialog.getByRole('alert')).toContainText('doesn’t work: full');
  expect(await axeFinds(page, { within: 'dialog' })).toEqual([]);

  answer = refused('too_fast', 429, 'Wait.', { retry_after_ms: 3_400 });
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('Try again in 4 s.');
  const made = backup('queued', 'Before the flood', unmade);
  answer = { ok: true, backup: made };
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Create backup' })).toBeFocused();
  await expect(line(page, 'Before the flood')).toContainText('Queued');
  // every try of the dialog has the same id: made once, whatever happens
  const ids = panel.asked.filter((one) => one.name === 'backups.create').map(({ message }) => message.op_id);
  expect(new Set(ids).size).toBe(1);
  expect(ids).toHaveLength(3);

  // the rest comes by event, and the end of it is announced
  const creating = { ...made, state: 'creating', progress: { done: 1, total: 4 } };
  panel.tell('backups', { server_id: id, backups: [creating, ...known] });
  await expect(line(page, 'Before the flood')).toContainText('25%');
  panel.tell('backups', {
    server_id: id,
    backups: [{ ...made, ...known[0]!, id: made.id, name: made.name }, ...known],
  });
  await expect(page.getByRole('status').filter({ hasText: 'Before the flood: Ready' })).toBeAttached();
});

test('restoring says what is lost, and makes a backup first unless told not to', async ({ page }) => {
  const known = [backup('done', 'Before the flood', { game_version: '1.15.2' })];
  let answer: object = refused('server_still_running', 400, 'Stop the server first.');
  const panel = await open(page, known, { 'backups.restore': () => answer });
  const restores = () =>
    panel.asked.filter((one) => one.name === 'backups.restore').map(({ message }) => message);
  const restore = line(page, 'Before the flood').getByRole('button', { name: 'Restore' });
  await restore.click();
  const dialog = page.getByRole('dialog', { name: 'Restore this backup?' });
  await expect(dialog).toContainText('All files of Valley are replaced');
  await expect(dialog).toContainText(/the server now has \S+/);
  await expect(dialog.getByLabel('Back up the current files first')).toBeChecked();
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Failed to restore from backup');
  await expect(dialog.getByRole('alert')).toContainText('Stop the server first.');
  expect(restores()[0]).toMatchObject({ safety: true, stop: false });

  // it was started meanwhile: the button says what happens
  await node.power(id, 'running', { duration_s: 1 });
  await expect(dialog).toContainText('It’s stopped first and started again afterwards.');
  expect(await axeFinds(page, { within: 'dialog' })).toEqual([]);
  await dialog.getByLabel('Back up the current files first').uncheck();
  await expect(dialog).toContainText('The current files are lost for good.');
  answer = { ok: true, backup: { ...known[0]!, state: 'restoring' } };
  await dialog.getByRole('button', { name: 'Stop and restore' }).click();
  await expect(dialog).toBeHidden();
  expect(restores()[1]).toMatchObject({ safety: false, stop: true, op_id: restores()[0]!.op_id });
  const failed = { ...known[0]!, error: { code: 'backup_damaged', retryable: false } };
  panel.tell('backups', { server_id: id, backups: [failed] });
  await expect(line(page, 'Before the flood')).toContainText(
    'Failed to restore from backup. This backup is damaged',
  );
  await node.power(id, 'stopped');
});

test('a download that fails says so, others begin in the browser', async ({ page }) => {
  let answer: object = refused('server_unreachable', 503, 'The machine does not answer.');
  await open(page, [backup('done', 'Old valley')], { 'backups.download': () => answer });
  const download = page.getByRole('button', { name: 'Download Old valley' });
  await download.click();
  const toast = page.getByRole('region', { name: 'Notifications' }).getByRole('listitem');
  await expect(toast).toContainText('Failed to prepare download');
  answer = { ok: true, address: '/_internal/backup-file' };
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    toast.getByRole('button', { name: 'Try again' }).click(),
  ]);
  expect(new URL(file.url()).pathname).toBe('/_internal/backup-file');
});

test('everything is made one archive, which is a line of its own', async ({ page }) => {
  const made = backup('creating', 'Export #1', { ...unmade, reason: 'export', target: 'platform' });
  const panel = await open(page, [backup('done', 'Old valley')], {
    'backups.create': () => ({ ok: true, backup: made }),
  });
  const make = page.getByRole('button', { name: 'Create archive' });
  await make.click();
  await expect(line(page, 'Export #1')).toContainText('Export');
  expect(panel.asked.at(-1)).toMatchObject({ name: 'backups.create', message: { takes_away: true } });
  await expect(make).toHaveAttribute('aria-disabled', 'true');
});

test('names, locks and several at once, by keyboard', async ({ page }) => {
  const known = [backup('done', 'One'), backup('done', 'Two'), backup('done', 'Three', { locked: true })];
  const answers = {
    'backups.rename': ({ name }: Record<string, unknown>) => ({ ok: true, backup: { ...known[0]!, name } }),
    'backups.lock': ({ locked }: Record<string, unknown>) => ({ ok: true, backup: { ...known[1]!, locked } }),
    'backups.delete': () => ({ ok: true }),
  };
  const panel = await open(page, known, answers);
  await line(page, 'One').locator('summary').last().focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await expect(line(page, 'One').getByRole('button', { name: 'Rename', exact: true })).toBeFocused();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Rename backup' });
  await dialog.getByLabel('Name').fill('First');
  await page.keyboard.press('Enter');
  await expect(line(page, 'First')).toBeVisible();

  await page.getByLabel('Select all').check();
  await expect(page.getByLabel('2 backups selected')).toBeVisible();
  await expect(line(page, 'Three').getByRole('checkbox')).toBeDisabled();
  // locked meanwhile: no longer selected
  await line(page, 'Two').locator('summary').last().click();
  await line(page, 'Two').getByRole('button', { name: 'Lock', exact: true }).click();
  await expect(page.getByLabel('1 backup selected')).toBeVisible();
  await page.locator('.bulk').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete “First”?' }).getByRole('button', { name: 'Delete' }).click();
  await expect
    .poll(() => panel.asked.at(-1))
    .toMatchObject({ name: 'backups.delete', message: { backup_ids: [known[0]!.id] } });
  panel.tell('backups', { server_id: id, backups: known.slice(1) });
  await expect(line(page, 'First')).toHaveCount(0);
});

test('automated backups: the rules are explained before they are saved', async ({ page }) => {
  const panel = await open(page, [backup('done', 'Mine')], {
    'backups.retain': ({ retention: rules }) => ({ ok: true, retention: rules }),
  });
  await expect(page.locator('.sched')).toContainText('Every 6 hours');
  await page.getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Automated backups' });
  await expect(dialog).toContainText('the newest of each of the last 7 days');
  await dialog.getByLabel('Daily').fill('16');
  await expect(dialog).toContainText('0 to 15');
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('Daily').fill('10');
  await expect(dialog).toContainText('there’s only room for 15');
  expect(await axeFinds(page, { within: 'dialog' })).toEqual([]);
  await dialog.getByLabel('How often').selectOption({ label: 'No automated backups' });
  await expect(dialog).toContainText('No automated backups, except the ones made before a restore.');
  await dialog.getByLabel('How often').selectOption({ label: 'Every 12 hours' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.sched')).toContainText('Every 12 hours');
  expect(panel.asked.at(-1)).toMatchObject({ message: { retention: { every_hours: 12, daily: 10 } } });
});

test('no backups, a list that cannot be loaded, and a lost connection', async ({ page }) => {
  let answer: object = refused('internal', 500, 'Something went wrong.');
  const panel = await server.openAnswered(page, { 'backups.list': () => answer }, address);
  await expect(page.getByText('Failed to load backups')).toBeVisible();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  answer = { ok: true, backups: [], most: 15, retention: { ...retention, every_hours: null } };
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'No backups yet' })).toBeVisible();
  await expect(page.getByText('Failed to load backups')).toBeHidden();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);

  await panel.cut();
  const create = page.getByRole('button', { name: 'Create backup' });
  await expect(create).toHaveAccessibleDescription(/Not connected/);
  answer = { ok: true, backups: [backup('done', 'Made meanwhile')], most: 15, retention };
  panel.restore();
  await expect(line(page, 'Made meanwhile')).toBeVisible();
  await expect(create).toHaveAttribute('aria-disabled', 'false');
});

test('warnings of the node are shown until they are dismissed in this browser', async ({ page }) => {
  await open(page, []);
  await node.warn(id, 'stop_forced');
  const told = page.getByText('The server had to be killed');
  await expect(told).toBeVisible();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.getByRole('button', { name: 'Dismiss: The server had to be killed' }).click();
  await expect(told).toBeHidden();
  await node.warn(id, 'slow_start');
  await expect(page.getByText('The server is taking a long time to start')).toBeVisible();
  await page.reload();
  await expect(page.getByText('The server is taking a long time to start')).toBeVisible();
  await expect(told).toBeHidden();
  await node.warn(id, 'stop_forced');
  await expect(told).toBeVisible();
});
