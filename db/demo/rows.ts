import { type Donation, parseDonation } from '../catalogue/projects/fields.ts';
import { insertAll } from '../catalogue/projects/gallery.ts';
import { packLoaderOf } from '../platform/files/mrpack.ts';
import type { StoredImage } from '../platform/files/pictures.ts';
import type { Db } from '../platform/postgres/sql.ts';
import type { Rendered } from '../platform/text/rendered.ts';
import { packDependencies } from './archives.ts';
import { tint } from './art/palettes.ts';
import { type Random, random } from './art/random.ts';
import type { MadeFiles } from './files.ts';
import { demoId } from './ids.ts';
import type { DrawnPicture } from './images.ts';
import type { PlannedProject } from './plan.ts';

/** Everything that is stored or rendered before the rows are inserted. */
export interface Prepared {
  at: number;
  made: MadeFiles;
  icons: Map<string, StoredImage>;
  galleries: Map<string, DrawnPicture[]>;
  bodies: Map<string, Rendered>;
  changelogs: Map<string, Rendered>;
}

const day = 86_400_000;
const hour = 3_600_000;
/** Postgres accepts 65,534 parameters per statement. */
const chunk = 1000;

/** Inserts many rows in as few statements as possible. */
export async function insert(
  tx: Db,
  table: string,
  rows: ReadonlyArray<Record<string, unknown>>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += chunk)
    await tx`insert into ${tx(table)} ${tx(rows.slice(from, from + chunk))}`;
}

/** Projects with their galleries; their teams exist already. */
export async function insertProjects(tx: Db, plans: PlannedProject[], prepared: Prepared): Promise<void> {
  await insert(
    tx,
    'projects',
    plans.map((plan) => projectRow(plan, prepared)),
  );
  for (const plan of plans) {
    await insertPictures(tx, plan, prepared.galleries.get(plan.id) ?? [], prepared.at);
  }
}

/** The gallery of a project, as old as its first version. */
export async function insertPictures(
  tx: Db,
  { id, versions }: PlannedProject,
  pictures: readonly DrawnPicture[],
  at: number,
): Promise<void> {
  const items = pictures.map(({ picture, title, description, featured }, ordering) => ({
    ...{ picture, title, description, alt: null, featured, ordering },
  }));
  await insertAll(tx, id, items, new Date(at - versions[0]!.days_ago * day));
}

function projectRow(plan: PlannedProject, { at, icons, bodies }: Prepared) {
  const body = bodies.get(plan.id)!;
  const began = new Date(at - plan.versions[0]!.days_ago * day - 2 * hour);
  const reviewed = plan.status !== 'draft' && plan.status !== 'processing';
  const icon = icons.get(plan.id)!;
  return {
    id: plan.id,
    slug: plan.slug,
    team: demoId(`team ${plan.slug}`),
    organization: plan.organization && demoId(`organization ${plan.organization}`),
    title: plan.title,
    description: plan.description,
    body: body.source,
    body_html: body.html,
    body_version: body.version,
    published: began,
    updated: began,
    approved: reviewed ? began : null,
    first_public: reviewed ? began : null,
    queued: plan.status === 'draft' ? null : began,
    status: plan.status,
    requested_status: 'approved',
    archived: plan.archived,
    moderation_message:
      plan.status === 'withheld' ? 'The drawings in the guest pages are not yours to give.' : null,
    moderation_message_body:
      plan.status === 'withheld'
        ? 'Two people recognized their own pictures. Replace them or bring their permission, then ask again.'
        : null,
    license_id: plan.license_id,
    downloads: plan.downloads,
    // whoever has many likes to show them
    shows_downloads: plan.downloads >= 1000,
    followers: plan.followers,
    categories: plan.categories.slice(0, 3),
    additional_categories: plan.categories.slice(3),
    icon_key: icon.key,
    raw_icon_key: icon.raw_key,
    color: tint(plan.palette),
    thread_id: demoId(`thread ${plan.slug}`),
    ...linksOf(plan),
  };
}

/** External links of a project: reserved addresses (example.org), fewer for small projects. */
function linksOf({ slug, owner, license_id, type }: PlannedProject) {
  const r = random(`links:${slug}`);
  const closed = license_id.startsWith('LicenseRef');
  const code = type === 'resourcepack' || type === 'modpack' ? 0.5 : 0.9;
  const maybe = (chance: number, url: string) => (r.next() < chance ? url : null);
  return {
    source_url: closed ? null : maybe(code, `https://git.example.org/${owner}/${slug}`),
    issues_url: maybe(0.85, `https://git.example.org/${owner}/${slug}/issues`),
    wiki_url: maybe(0.4, `https://wiki.example.org/${slug}`),
    discord_url: maybe(0.35, `https://chat.example.org/${owner}`),
    donation_urls: donationsOf(owner, r) as never,
  };
}

function donationsOf(owner: string, r: Random): Donation[] {
  if (r.next() > 0.35) return [];
  const platforms = ['ko-fi', 'patreon', 'bmac', 'github', 'paypal', 'other'];
  const first = r.pick(platforms);
  const second = r.next() < 0.25 ? r.pick(platforms.filter((one) => one !== first)) : null;
  return [first, second].flatMap((id) =>
    id ? [parseDonation(id, `https://give.example.org/${id}/${owner}`)] : [],
  );
}

/** Versions with their files and dependencies. */
export async function insertVersions(
  tx: Db,
  plans: PlannedProject[],
  { at, made, changelogs }: Prepared,
): Promise<void> {
  const all = plans.flatMap((plan) => plan.versions.map((version) => ({ plan, version })));
  const rows = all.map(({ plan, version }) => {
    const changelog = changelogs.get(version.changelog)!;
    const pack = plan.type === 'modpack';
    return {
      id: version.id,
      project_id: plan.id,
      author_id: demoId(`user ${plan.owner}`),
      name: version.name ?? version.version_number,
      version_number: version.version_number,
      changelog: changelog.source,
      changelog_html: changelog.html,
      changelog_version: changelog.version,
      date_published: new Date(at - version.days_ago * day - hour),
      downloads: plan.downloads === 0 ? 0 : version.downloads,
      version_type: version.version_type,
      loaders: pack ? ['mrpack'] : version.loaders,
      mrpack_loaders: pack ? version.loaders : [],
      game_versions: version.game_versions,
      environment: plan.environment,
    };
  });
  await insert(tx, 'versions', rows);
  const packs = all.flatMap(({ plan, version: { id: version_id, loaders, game_versions } }) => {
    const dependencies = packDependencies({ loaders, game_version: game_versions.at(-1)! });
    return plan.type === 'modpack' ? [{ version_id, ...packLoaderOf({ dependencies })! }] : [];
  });
  await insert(tx, 'modpack_loaders', packs);
  const files = all.map(({ version }) => {
    const { filename, size, sha1, sha512 } = made.files.get(version.id)!;
    const id = demoId(`file ${version.id}`);
    return { id, version_id: version.id, filename, is_primary: true, size, sha1, sha512 };
  });
  await insert(tx, 'files', files);
  const needs = all.flatMap(({ plan, version }) =>
    (made.held.get(version.id) ?? [])
      .map(({ project_id, version_id }) => ({
        version_id: version.id,
        project_id,
        dependency_version_id: version_id as string | null,
        dependency_type: 'embedded',
      }))
      .concat(
        plan.type === 'modpack'
          ? []
          : plan.needs.map(({ slug, dependency_type }) => ({
              version_id: version.id,
              project_id: demoId(`project ${slug}`),
              dependency_version_id: null,
              dependency_type,
            })),
      ),
  );
  await insert(tx, 'dependencies', needs);
}
