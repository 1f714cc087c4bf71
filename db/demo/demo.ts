import { recomputeAggregates } from '../catalogue/versions/recompute-aggregates.ts';
import type { AppContext } from '../context.ts';
import { recordEvent } from '../platform/events/write.ts';
import { getFact, setFact } from '../platform/installation.ts';
import type { Rendered, Renderer } from '../platform/text/rendered.ts';
import { bodyOf, shownPictures } from './body.ts';
import { people } from './catalogue.ts';
import { insertCollections } from './collections.ts';
import { each } from './each.ts';
import { clearFiles, storeFiles } from './files.ts';
import { storeGalleries, storeIcons } from './images.ts';
import { drawnFirst } from './later-pictures.ts';
import { seedLives } from './lives.ts';
import { insertFollows, insertTeams, prepareOrganizations, preparePeople } from './people.ts';
import { type PlannedProject, planned } from './plan.ts';
import { insert, insertProjects, insertVersions, type Prepared } from './rows.ts';
import { insertUsage } from './usage.ts';

/** The demo accounts, all with this password. They are refused on open installations (bin/main). */
export const demoAccounts = people.slice(0, 4).map(({ username }) => username);
export const demoPassword = 'stack-seven-stones';

/** The parts of the context that the seed uses. */
export type SeedServices = Pick<
  AppContext,
  'sql' | 'settings' | 'storage' | 'renderer' | 'sealer' | 'log' | 'now'
>;

/** The entry of the installation that says that the catalogue is loaded. */
const loaded_key = 'demo_catalogue';

/**
 * Fills an empty installation with demo content: users, organizations, teams, 300 projects of six types with icons,
 * galleries, versions and archives that pass our own checks, and collections. Deterministic except for dates, which
 * are relative to now. Files are stored first, rows follow in one transaction, so that an interrupted seed can run again.
 * Then people live with it (`seedLives`). Most pictures are drawn by `drawLaterPictures`.
 */
export async function seedDemo(services: SeedServices): Promise<{ projects: number }> {
  const plans = planned();
  if (!(await getFact(services.sql, loaded_key))) await loadCatalogue(services, plans);
  await seedLives(services);
  return { projects: plans.length };
}

async function loadCatalogue(
  { sql, settings, storage, renderer, now }: SeedServices,
  plans: PlannedProject[],
): Promise<void> {
  const at = now().getTime();
  await clearFiles(storage, plans);
  const [made, icons, galleries] = await Promise.all([
    storeFiles(storage, settings, plans),
    storeIcons(storage, plans),
    storeGalleries(storage, drawnFirst(plans, settings)),
  ]);
  const texts = plans.map((plan) => bodyOf(plan, shownPictures(galleries.get(plan.id) ?? [])));
  const rendered = await renderAll(renderer, [
    ...texts,
    ...plans.flatMap(({ versions }) => versions.map(({ changelog }) => changelog)),
  ]);
  const bodies = new Map(plans.map(({ id }, position) => [id, rendered.get(texts[position]!)!]));
  const prepared: Prepared = { at, made, icons, galleries, bodies, changelogs: rendered };
  const persons = await preparePeople(storage, plans, { at, accounts: demoAccounts, password: demoPassword });
  const organizations = await prepareOrganizations(storage, at);

  await sql.begin(async (tx) => {
    await insert(tx, 'users', persons);
    await insertTeams(tx, plans);
    await insert(tx, 'organizations', organizations);
    await insertProjects(tx, plans, prepared);
    await insertVersions(tx, plans, prepared);
    await insertFollows(tx, plans, at);
    await insertCollections(tx, plans, at);
    for (const { id } of plans) await recomputeAggregates(tx, id);
    await insertUsage(tx, now(), settings);
    await recordEvent(tx, { name: 'catalogue.loaded', data: { projects: plans.length } });
    await setFact(tx, loaded_key, now().toISOString());
  });
}

/** Every text once, with its rendered form. */
async function renderAll(renderer: Renderer, sources: readonly string[]): Promise<Map<string, Rendered>> {
  const made = new Map<string, Rendered>();
  await each([...new Set(sources)], async (source) => {
    made.set(source, await renderer.render(source));
  });
  return made;
}
