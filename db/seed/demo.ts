import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { record } from '../events/write.ts';
import { randomText } from '../id.ts';
import { hashPassword } from '../people/password.ts';
import type { OpenRecord } from '../record.ts';
import type { Db } from '../sql.ts';
import type { Storage } from '../storage/storage.ts';
import { mediaUrl, versionFileKey } from '../storage/url.ts';
import type { Renderer } from '../text/rendered.ts';
import { refold } from '../versions/write.ts';
import { tint } from './art/palettes.ts';
import { icon } from './art/pictures.ts';
import { entriesOf, type PackedFile, packEntries, zip } from './demo/archives.ts';
import { bodyOf, demoId, type PlannedProject, type PlannedVersion, people, planned } from './demo/plan.ts';

/** The accounts a person may sign in with, all with this password. They are refused on public addresses (bin/main). */
export const demoAccounts = people.slice(0, 4).map(({ username }) => username);
export const demoPassword = 'stack-seven-stones';

/** What of the open record the seed works with. */
export type SeedServices = Pick<OpenRecord, 'sql' | 'storage' | 'renderer' | 'now'>;

const day = 86_400_000;

/**
 * Fills an empty installation with the demo world: people, teams, 60 projects over six types with icons, versions and
 * archives that pass our own checks. Deterministic but for dates, which count back from now. Files are stored first,
 * rows follow in one transaction, so a seed that is cut off leaves nothing visible and can simply run again.
 */
export async function seedDemo({ sql, storage, renderer, now }: SeedServices): Promise<{ projects: number }> {
  const at = now().getTime();
  const plans = planned();
  const files = new Map<string, PackedFile>();
  const rendered = new Map<string, { body: Awaited<ReturnType<Renderer['render']>>; icon_key: string }>();
  // modpacks last: their index names files of the mods they hold
  for (const plan of [...plans].sort((a, b) => Number(a.type === 'modpack') - Number(b.type === 'modpack'))) {
    for (const version of plan.versions)
      files.set(version.id, await storeFile(storage, plans, plan, version, files));
    rendered.set(plan.id, {
      body: await renderer.render(bodyOf(plan)),
      icon_key: await storeIcon(storage, plan),
    });
  }
  const changelogs = new Map<string, Awaited<ReturnType<Renderer['render']>>>();
  for (const { versions } of plans)
    for (const { changelog } of versions)
      if (!changelogs.has(changelog)) changelogs.set(changelog, await renderer.render(changelog));

  const persons = await preparePeople(storage, at);
  await sql.begin(async (tx) => {
    await tx`insert into users ${tx(persons)}`;
    await insertProjects(tx, plans, rendered, at);
    await insertVersions(tx, plans, files, changelogs, at);
    for (const { id } of plans) await refold(tx, id);
    await record(tx, { name: 'catalogue.loaded', data: { projects: plans.length } });
  });
  return { projects: plans.length };
}

async function storeIcon(storage: Storage, { id, slug, motif, palette }: PlannedProject): Promise<string> {
  return await storePicture(storage, `data/${id}`, icon(slug, { motif, palette }));
}

async function storePicture(storage: Storage, folder: string, svg: string): Promise<string> {
  const bytes = await sharp(Buffer.from(svg)).resize(96, 96).webp({ quality: 90 }).toBuffer();
  const key = `${folder}/${createHash('sha1').update(bytes).digest('hex')}_96.webp`;
  await storage.putBytes(key, bytes);
  return key;
}

async function storeFile(
  storage: Storage,
  plans: PlannedProject[],
  plan: PlannedProject,
  version: PlannedVersion,
  known: Map<string, PackedFile>,
): Promise<PackedFile> {
  const of = {
    slug: plan.slug,
    title: plan.title,
    summary: plan.description,
    number: version.version_number,
    loaders: plan.loaders,
    game_version: version.game_versions.at(-1)!,
  };
  const bytes = await zip(
    plan.type === 'modpack' ? packEntries(of, heldBy(plans, plan, known)) : entriesOf(of),
  );
  const ending = {
    mod: 'jar',
    plugin: 'jar',
    modpack: 'mrpack',
    datapack: 'zip',
    resourcepack: 'zip',
    shader: 'zip',
  }[plan.type];
  const filename = `${plan.slug}-${version.version_number}.${ending}`;
  const key = versionFileKey(plan.id, version.id, filename);
  await storage.remove(key);
  const path = join(storage.tmp, `seed-${randomText(12)}`);
  await writeFile(path, bytes);
  await storage.putFile(key, path);
  return {
    filename,
    url: mediaUrl(key),
    size: bytes.length,
    sha1: createHash('sha1').update(bytes).digest('hex'),
    sha512: createHash('sha512').update(bytes).digest('hex'),
  };
}

const heldBy = (
  plans: PlannedProject[],
  { needs }: PlannedProject,
  known: Map<string, PackedFile>,
): PackedFile[] =>
  needs.flatMap((slug) => {
    const newest = plans.find((plan) => plan.slug === slug)?.versions.at(-1);
    const file = newest ? known.get(newest.id) : undefined;
    return file ? [file] : [];
  });

/** Passwords are hashed before the transaction; who cannot sign in has none. */
async function preparePeople(storage: Storage, at: number) {
  return await Promise.all(
    people.map(async ({ username, bio, role = 'developer' }) => {
      const id = demoId(`user ${username}`);
      const avatar_key = await storePicture(storage, `data/users/${id}`, icon(`person ${username}`));
      return {
        id,
        username,
        email: `${username}@demo.invalid`,
        email_verified: true,
        password_hash: demoAccounts.includes(username) ? await hashPassword(demoPassword) : null,
        bio,
        role,
        avatar_key,
        raw_avatar_key: avatar_key,
        created: new Date(at - 900 * day),
      };
    }),
  );
}

async function insertProjects(
  tx: Db,
  plans: PlannedProject[],
  rendered: Map<string, { body: { source: string; html: string; version: number }; icon_key: string }>,
  at: number,
): Promise<void> {
  const teamOf = (slug: string) => demoId(`team ${slug}`);
  await tx`insert into teams ${tx(plans.map(({ slug }) => ({ id: teamOf(slug) })))}`;
  await tx`insert into team_members ${tx(plans.map(({ slug, owner }) => ({ team_id: teamOf(slug), user_id: demoId(`user ${owner}`), role: 'Member', is_owner: true, permissions: 1023, accepted: true, payouts_split: 100 })))}`;
  const rows = plans.map((plan) => {
    const { body, icon_key } = rendered.get(plan.id)!;
    const oldest = new Date(at - plan.versions[0]!.days_ago * day);
    return {
      id: plan.id,
      slug: plan.slug,
      team: teamOf(plan.slug),
      title: plan.title,
      description: plan.description,
      body: body.source,
      body_html: body.html,
      body_version: body.version,
      published: oldest,
      updated: oldest,
      approved: oldest,
      queued: oldest,
      status: 'approved',
      requested_status: 'approved',
      license_id: plan.license_id,
      downloads: plan.downloads,
      followers: plan.followers,
      categories: plan.categories.slice(0, 3),
      additional_categories: plan.categories.slice(3),
      icon_key,
      raw_icon_key: icon_key,
      color: tint(plan.palette),
      thread_id: demoId(`thread ${plan.slug}`),
      source_url: `https://git.example.org/${plan.owner}/${plan.slug}`,
      issues_url: `https://git.example.org/${plan.owner}/${plan.slug}/issues`,
    };
  });
  await tx`insert into projects ${tx(rows)}`;
}

async function insertVersions(
  tx: Db,
  plans: PlannedProject[],
  files: Map<string, PackedFile>,
  changelogs: Map<string, { source: string; html: string; version: number }>,
  at: number,
): Promise<void> {
  const all = plans.flatMap((plan) => plan.versions.map((version) => ({ plan, version })));
  const rows = all.map(({ plan, version }) => {
    const changelog = changelogs.get(version.changelog)!;
    const pack = plan.type === 'modpack';
    return {
      id: version.id,
      project_id: plan.id,
      author_id: demoId(`user ${plan.owner}`),
      name: `${plan.title} ${version.name}`.slice(0, 64),
      version_number: version.version_number,
      changelog: changelog.source,
      changelog_html: changelog.html,
      changelog_version: changelog.version,
      date_published: new Date(at - version.days_ago * day - 3_600_000),
      downloads: version.downloads,
      version_type: version.version_type,
      loaders: pack ? ['mrpack'] : plan.loaders,
      mrpack_loaders: pack ? plan.loaders : [],
      game_versions: version.game_versions,
      environment: plan.environment,
    };
  });
  await tx`insert into versions ${tx(rows)}`;
  await tx`insert into files ${tx(
    all.map(({ version }) => {
      const { filename, size, sha1, sha512 } = files.get(version.id)!;
      return {
        id: demoId(`file ${version.id}`),
        version_id: version.id,
        filename,
        is_primary: true,
        size,
        sha1,
        sha512,
      };
    }),
  )}`;
  const needs = all.flatMap(({ plan, version }) =>
    plan.needs.map((slug) => ({
      version_id: version.id,
      project_id: demoId(`project ${slug}`),
      dependency_type: plan.type === 'modpack' ? 'embedded' : 'optional',
    })),
  );
  await tx`insert into dependencies ${tx(needs)}`;
}
