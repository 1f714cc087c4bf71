import { afterAll, describe, expect, it } from 'vitest';
import { statusTraits } from '../catalogue/collections/rules.ts';
import { limits as ofCollections } from '../catalogue/collections/shape.ts';
import { limits as ofProjects } from '../catalogue/projects/limits.ts';
import { whyNotUseSlug } from '../catalogue/projects/rules.ts';
import { whyNotLicense } from '../catalogue/tags/read.ts';
import { categoriesOf, environments, isLoader } from '../catalogue/tags/rules.ts';
import { limits, versionNumberPattern } from '../catalogue/versions/rules.ts';
import { whyNotUsername } from '../platform/people/rules.ts';
import { parseSettings } from '../platform/runtime/env.ts';
import { boundedText, nonBlankText } from '../platform/shape.ts';
import { createRenderer } from '../platform/text/render.ts';
import { bodyOf } from './body.ts';
import { organizations, people } from './catalogue.ts';
import { collections, projectsIn } from './collections.ts';
import { showcase } from './data/showcase.ts';
import { each } from './each.ts';
import { planned } from './plan.ts';
import { releasesOf } from './releases.ts';

const plans = planned();
const renderer = createRenderer(parseSettings({}));
afterAll(() => renderer.close());

/** Names and brands of other companies and products. */
const foreign =
  /minecraft|mojang|microsoft|modrinth|curseforge|overwolf|hypixel|sodium|optifine|nvidia|\bintel\b|\bamd\b|google|apple\b|discord|github|youtube|patreon/i;

/** Most downloaded first. */
const popular = [...plans].sort((a, b) => b.downloads - a.downloads);

const repeated = (list: readonly string[]) => list.filter((one, at) => list.indexOf(one) !== at);

describe('the demo catalogue', () => {
  it('has three hundred projects with unique names, slugs and summaries', () => {
    expect(plans.length).toBe(300);
    for (const key of ['id', 'slug', 'title', 'description'] as const)
      expect([key, ...repeated(plans.map((plan) => plan[key].toLowerCase()))]).toEqual([key]);
    expect(repeated(plans.flatMap(({ versions }) => versions.map(({ id }) => id)))).toEqual([]);
  });

  it('satisfies the limits and lists that apply to creators', () => {
    const title = nonBlankText(3, ofProjects.title);
    const description = boundedText(3, ofProjects.description);
    for (const plan of plans) {
      const known = categoriesOf([plan.type]).map(({ name }) => name);
      expect(
        {
          title: title.safeParse(plan.title).success,
          description: description.safeParse(plan.description).success,
          slug: whyNotUseSlug(plan.slug),
          license: whyNotLicense(plan.license_id),
          categories: plan.categories.filter((name) => !known.includes(name)),
          loaders: plan.loaders.filter((name) => !isLoader(name)),
          environment: (environments as readonly string[]).includes(plan.environment),
          owner: people.some(({ username }) => username === plan.owner),
          foreign: foreign.exec(`${plan.title} ${plan.description}`)?.[0],
        },
        plan.slug,
      ).toEqual({
        title: true,
        description: true,
        slug: null,
        license: null,
        categories: [],
        loaders: [],
        environment: true,
        owner: true,
        foreign: undefined,
      });
    }
  });

  it('has sixty users with valid names, each with a bio', () => {
    expect(people.length).toBe(60);
    expect(repeated(people.map(({ username }) => username))).toEqual([]);
    expect(repeated(people.map(({ bio }) => bio))).toEqual([]);
    expect(people.filter(({ username }) => whyNotUsername(username) !== null)).toEqual([]);
    const names = new Set(people.map(({ username }) => username));
    for (const { owner, members } of organizations)
      expect([owner, ...members.map(({ username }) => username)].filter((name) => !names.has(name))).toEqual(
        [],
      );
    const slugs = organizations.map(({ slug }) => slug);
    expect([...new Set(plans.flatMap(({ organization }) => organization ?? []))].sort()).toEqual(
      slugs.sort(),
    );
  });

  it('has collections of every status their owners can set, within the limits, with public projects', () => {
    const name = nonBlankText(3, ofCollections.name);
    const description = boundedText(3, ofCollections.description);
    for (const one of collections) {
      const held = projectsIn(one, plans);
      const sound = {
        name: name.safeParse(one.name).success && !foreign.test(`${one.name} ${one.description}`),
        description: one.description === null || description.safeParse(one.description).success,
        owner: people.some(({ username }) => username === one.owner),
        own: statusTraits[one.status].owner_only,
        public: held.every(({ status }) => status === 'approved'),
        size: held.length >= 2 && held.length <= ofCollections.projects,
      };
      expect([one.name, ...Object.values(sound)]).toEqual([one.name, true, true, true, true, true, true]);
    }
    expect(repeated(collections.map(({ id }) => id))).toEqual([]);
    expect(new Set(collections.map(({ status }) => status))).toEqual(
      new Set(['listed', 'unlisted', 'private']),
    );
  });

  it('has no dead references: dependencies exist, are public and share a loader', () => {
    const bySlug = new Map(plans.map((plan) => [plan.slug, plan]));
    for (const plan of plans)
      for (const { slug, dependency_type } of plan.needs) {
        const other = bySlug.get(slug);
        const shares = other?.loaders.some((loader) => plan.loaders.includes(loader));
        const must = dependency_type === 'required' || dependency_type === 'embedded';
        expect([plan.slug, slug, other?.status, !must || shares]).toEqual([
          plan.slug,
          slug,
          'approved',
          true,
        ]);
      }
    const kinds = plans.flatMap(({ needs }) => needs.map(({ dependency_type }) => dependency_type));
    expect(new Set(kinds)).toEqual(new Set(['required', 'optional', 'incompatible', 'embedded']));
    expect(
      plans.filter(({ needs }) => needs.some(({ slug }) => slug === 'cornerpost')).length,
    ).toBeGreaterThan(20);
  });

  it('has versions numbered once, in order of date, for existing game versions, with all downloads', () => {
    for (const { slug, versions, downloads } of plans) {
      const numbers = versions.map(({ version_number }) => version_number);
      expect([slug, ...repeated(numbers)]).toEqual([slug]);
      expect(versions.length).toSatisfy((count: number) => count >= 1 && count <= 60);
      for (const [at, one] of versions.entries()) {
        const sound =
          versionNumberPattern.test(one.version_number) &&
          one.version_number.length <= limits.version_number &&
          one.game_versions.length > 0 &&
          one.loaders.length > 0 &&
          one.changelog.length > 0 &&
          one.days_ago <= (versions[at - 1]?.days_ago ?? 2000);
        expect([slug, one.version_number, sound]).toEqual([slug, one.version_number, true]);
      }
      expect([slug, versions.reduce((sum, one) => sum + one.downloads, 0)]).toEqual([slug, downloads]);
    }
    const types = plans.flatMap(({ versions }) => versions.map(({ version_type }) => version_type));
    expect(new Set(types)).toEqual(new Set(['release', 'beta', 'alpha']));
    expect(
      Math.min(...plans.flatMap(({ versions }) => versions.map(({ days_ago }) => days_ago))),
    ).toBeLessThan(7);
  });

  it('repeats neither an icon nor a first picture within forty projects, in order of downloads', () => {
    const icons = popular.map(({ motif, palette }) => `${motif} ${palette}`);
    const firsts = popular.flatMap(({ pictures: [first] }) =>
      first ? `${first.kind} ${first.palette}` : [],
    );
    for (const pairs of [icons, firsts])
      for (const [at, pair] of pairs.entries())
        expect(pairs.slice(Math.max(0, at - 40), at), pair).not.toContain(pair);
  });

  it('shows its forty most downloaded projects with pictures, versions and changelogs of their own', () => {
    expect(popular.slice(0, 40).map(({ slug }) => slug)).toEqual([...showcase.keys()]);
    for (const { slug, versions } of popular.slice(0, 40)) {
      const [count, newest] = showcase.get(slug)!.versions;
      expect([slug, versions.length, versions.at(-1)!.version_number]).toEqual([slug, count, newest]);
      const written = releasesOf(
        slug,
        versions.map(({ version_number: number, version_type }) => ({
          ...{ number, version_type, series: number },
          kind: /\.0$/.test(number) ? 'feature' : 'patch',
        })),
      );
      expect([slug, written.size >= 3]).toEqual([slug, true]);
      const told = versions.filter(({ changelog }) =>
        [...written.values()].some((release) => release.changelog === changelog),
      );
      expect([slug, told.length]).toEqual([slug, written.size]);
    }
    for (const { versions } of popular.slice(0, 10)) expect(versions.length).toBeGreaterThanOrEqual(20);
  });

  it('names releases, or leaves them unnamed, but never repeats the number or the title', () => {
    const named = plans.flatMap(({ title, versions }) =>
      versions.flatMap(({ name, version_number }) => (name ? [{ title, name, version_number }] : [])),
    );
    expect(named.length).toBeGreaterThan(80);
    for (const { title, name, version_number } of named) {
      expect(name).not.toContain(version_number);
      expect(name).not.toContain(title);
    }
  });

  it('has images for more than half, for every resource pack and shader, one of them featured', () => {
    const shown = plans.filter(({ pictures }) => pictures.length > 0);
    expect(shown.length).toBeGreaterThan(200);
    for (const { slug, type, pictures } of plans) {
      if (type === 'resourcepack' || type === 'shader')
        expect([slug, pictures.length > 1]).toEqual([slug, true]);
      expect([slug, ...repeated(pictures.map(({ kind }) => kind))]).toEqual([slug]);
      expect([slug, ...repeated(pictures.map(({ title }) => title))]).toEqual([slug]);
      expect(pictures.filter(({ featured }) => featured).length).toBe(Math.min(1, pictures.length));
    }
  });
});

/** Counts each kind of Markdown in a text; code is counted and then left out. */
function written(source: string) {
  const text = source.replace(/^```[\s\S]*?^```/gm, '');
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return {
    code: (source.match(/^```/gm)?.length ?? 0) / 2,
    headings: count(/^#{1,6} /gm),
    tables: count(/^\|(?: *:?-+:? *\|)+$/gm),
    tasks: count(/^ *[-*] \[[ x]\] /gm),
    images: count(/!\[|<img /g),
    details: count(/<details>/g),
    keys: count(/<kbd>/g),
    aligned: count(/align="center"/g),
    quotes: count(/(?<!^>.*\n)^> /gm),
  };
}

function displayed(html: string): ReturnType<typeof written> {
  const count = (pattern: RegExp) => html.match(pattern)?.length ?? 0;
  return {
    code: count(/<pre>/g),
    headings: count(/<h[1-6][ >]/g),
    tables: count(/<table>/g),
    tasks: count(/<input /g),
    images: count(/<img /g),
    details: count(/<details>/g),
    keys: count(/<kbd>/g),
    aligned: count(/<(?:div|p) align="center"/g),
    quotes: count(/<blockquote>/g),
  };
}

describe('the descriptions of the demo catalogue', () => {
  const bodies = plans.map((plan) =>
    bodyOf(
      plan,
      plan.pictures.map(({ width, title }, at) => ({
        url: `/data/${plan.id}/${at}_350.webp`,
        raw_url: `/data/${plan.id}/${at}.webp`,
        ...{ width, title },
      })),
    ),
  );

  it('are unique, and link only to existing projects and organizations, with the right type', () => {
    expect(repeated(bodies)).toEqual([]);
    const positions = new Set([
      ...plans.flatMap(({ type, slug }) => [`/${type}/${slug}`, `/project/${slug}`]),
      ...organizations.map(({ slug }) => `/organization/${slug}`),
    ]);
    const links = bodies.flatMap((body) => [...body.matchAll(/\]\((\/[^)]+)\)|href="(\/[^"]+)"/g)]);
    const dead = links
      .map(([, a, b]) => a ?? b!)
      .filter((to) => !to.startsWith('/data/') && !positions.has(to));
    expect(dead).toEqual([]);
    expect(
      bodies.filter((body) => /[{]|undefined/.test(body.replace(/```[\s\S]*?```|`[^`]*`/g, ''))),
    ).toEqual([]);
  });

  it('render completely, with every kind of Markdown somewhere', async () => {
    const all: Record<string, number> = {};
    await each(bodies, async (body, at) => {
      const { html } = await renderer.render(body);
      const expected = written(body);
      expect({ slug: plans[at]!.slug, ...displayed(html) }).toEqual({ slug: plans[at]!.slug, ...expected });
      expect(html).not.toContain('/data/_image');
      for (const [kind, count] of Object.entries(expected)) all[kind] = (all[kind] ?? 0) + count;
    });
    for (const [kind, count] of Object.entries(all)) expect([kind, count > 20]).toEqual([kind, true]);
  }, 120_000);
});
