import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ofKind } from '#control/testing/backups.ts';
import { type RentedServer, rentServer, testControlPlane } from '#control/testing/plane.ts';
import { applyContent } from '#control/testing/scripted-content.ts';
import { project, version } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const plane = testControlPlane(database);

/** A Fabric server with one mod that the catalogue knows, one version behind. */
async function rent() {
  const { sql } = database;
  const renter = await rentServer(sql, plane.url);
  await sql`update servers set loader = 'fabric' where id = ${renter.id}`;
  const of = await project(sql, { title: 'Stone', slug: `stone-${renter.id.toLowerCase()}` });
  const sha512 = createHash('sha512').update('stone').digest('hex');
  const at = (month: number) => ({ date_published: new Date(2025, month, 1), game_versions: ['1.16.5'] });
  await version(sql, of, { ...at(1), version_number: '1', files: [{ sha512, filename: 'stone-1.jar' }] });
  const two = await version(sql, of, { ...at(2), version_number: '2', files: [{ filename: 'stone-2.jar' }] });
  renter.runner.files.files.set('mods/stone-1.jar', Buffer.from('stone'));
  return { renter, of, two };
}

const cairn = serverCommand(plane);
const content = (renter: RentedServer, verb: string, ...words: string[]) =>
  cairn(renter, 'content', verb, renter.id, ...words);

describe('cairn server content', () => {
  it('lists, switches off and on, and removes', async () => {
    const { renter } = await rent();
    expect((await content(renter, 'list')).out).toMatch(/Stone\s+1\s+2\s+mods\/stone-1\.jar/);
    const off = content(renter, 'disable', 'mods/stone-1.jar', '--wait', '--json');
    await applyContent(renter);
    expect(JSON.parse((await off).out)).toMatchObject({ kind: 'toggle', step: 'done' });
    const { content: items } = JSON.parse((await content(renter, 'list', '--json')).out);
    expect(items).toMatchObject([{ path: 'mods/stone-1.jar.disabled', enabled: false }]);
    expect(await content(renter, 'disable', 'mods/stone-1.jar.disabled')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('There’s nothing to change'),
    });
    expect(await content(renter, 'remove', 'mods/other.jar')).toMatchObject({ code: 1 });
    expect((await content(renter, 'remove', 'mods/stone-1.jar.disabled')).out).toContain('remove');
  });

  it('prints the plan of an update before it is made', async () => {
    const { renter } = await rent();
    const plan = await content(renter, 'update', '--dry-run', '--json');
    expect(plan.code).toBe(0);
    expect(JSON.parse(plan.out).add).toMatchObject([
      { replaces: 'mods/stone-1.jar', version: { version_number: '2' } },
    ]);
    expect(await content(renter, 'update')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('use --yes'),
      out: expect.stringMatching(/Stone\s+1\s+2/),
    });
    expect(renter.runner.operations).toEqual([]);
    expect((await content(renter, 'update', '--yes', '--json')).code).toBe(0);
    const { args } = await ofKind(renter, 'content_apply');
    expect(args).toMatchObject({ add: [{ path: 'mods/stone-2.jar' }], remove: ['mods/stone-1.jar'] });
  });

  it('ends with code 2 when something asked for does not fit, and says what would', async () => {
    const { renter, of, two } = await rent();
    const forge = await project(database.sql, { title: 'Anvil' });
    await version(database.sql, forge, { loaders: ['forge'], game_versions: ['1.16.5'] });
    const { code, errors, out } = await content(
      renter,
      'add',
      `${of.slug}:${two.id}`,
      forge.slug,
      '--dry-run',
    );
    expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining('stone-2.jar') });
    expect(errors).toContain('Anvil: wrong_loader; fits forge');
    expect(await content(renter, 'add', 'no-such-project', '--dry-run')).toMatchObject({ code: 1 });
    expect(await content(renter, 'undo')).toMatchObject({ code: 1 });
    expect(await content(renter, 'pack', of.slug, '--dry-run')).toMatchObject({ code: 1 });
    expect(await content(renter, 'compare', two.id)).toMatchObject({
      code: 1,
      errors: 'Stone 2 isn’t a modpack.',
    });
  });
});
