import { type PaletteName, paletteNames } from './art/palettes.ts';
import type { Motif, SceneKind } from './art/pictures.ts';
import { type Random, random } from './art/random.ts';
import type { ListedProject } from './catalogue.ts';
import { showcase } from './data/showcase.ts';
import { motifsOf } from './motifs.ts';
import { sceneCount, scenesOf } from './scenes.ts';

/** How a project looks: its icon, and what its gallery shows, the first in the icon's palette. */
export interface Look {
  motif: Motif;
  palette: PaletteName;
  scenes: readonly SceneKind[];
}

/** Projects after which a pair may come again: on one screen no two look alike. */
const distance = 40;
/** Projects of a type after which a kind of scene may come again, in any palette. */
const near = 3;
/** Tries after which a pair that its own type has used before is taken. */
const max_tries = 60;

/**
 * The look of every project, by slug: that of the showcase, else a motif and a first scene that fit its categories. No
 * icon and no first scene, each with its palette, comes again among the next forty projects, neither of all nor of the
 * same type. `ordered`: most downloaded first.
 */
export function looks(
  ordered: ReadonlyArray<{ slug: string; listed: ListedProject }>,
): ReadonlyMap<string, Look> {
  const chosen = new Map<string, Look>();
  const recent = { icons: new Recent(), scenes: new Recent() };
  for (const [rank, { slug, listed }] of ordered.entries()) {
    const look = showcase.get(slug) ?? choose(slug, listed, rank, recent);
    chosen.set(slug, look);
    recent.icons.add(listed.type, `${look.motif} ${look.palette}`);
    if (look.scenes[0]) recent.scenes.add(listed.type, `${look.scenes[0]} ${look.palette}`);
  }
  return chosen;
}

/** The last pairs, of all projects and of each type. */
class Recent {
  readonly #lists = new Map<string, string[]>();

  add(type: string, pair: string): void {
    for (const key of ['all', type])
      this.#lists.set(key, [...(this.#lists.get(key) ?? []), pair].slice(-distance));
  }
  has(key: string, pair: string): boolean {
    return this.#lists.get(key)?.includes(pair) ?? false;
  }
  /** Whether one of the last few pairs begins like this. */
  justHas(key: string, begin: string): boolean {
    return (
      this.#lists
        .get(key)
        ?.slice(-near)
        .some((pair) => pair.startsWith(begin)) ?? false
    );
  }
}

function choose(
  slug: string,
  listed: ListedProject,
  rank: number,
  recent: { icons: Recent; scenes: Recent },
): Look {
  const r: Random = random(`look:${slug}`);
  const count = sceneCount(listed, rank, r);
  for (let tries = 0; ; tries++) {
    const motif = r.pick(motifsOf(listed));
    const look: Look = {
      motif,
      palette: r.pick(paletteNames),
      scenes: scenesOf(listed, { motif, count, r }),
    };
    const [icon, scene] = [`${look.motif} ${look.palette}`, `${look.scenes[0]} ${look.palette}`];
    const seen = (key: string) => recent.icons.has(key, icon) || recent.scenes.has(key, scene);
    const dull = recent.scenes.justHas(listed.type, `${look.scenes[0]} `);
    if (!seen('all') && ((!seen(listed.type) && !dull) || tries > max_tries)) return look;
  }
}
