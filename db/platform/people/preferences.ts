import { z } from 'zod';
import { assertAllowed, Refused } from '../errors.ts';
import { recordEvent } from '../events/write.ts';
import type { Db } from '../postgres/sql.ts';
import { type Actor, whyNotSetPreferences } from './rules.ts';

const flag = { of: z.boolean(), default: false };
const on = { of: z.boolean(), default: true };
const layout = (usual: 'grid' | 'rows') => ({ of: z.enum(['grid', 'rows']), default: usual });
/** Who may: nobody, friends, friends of friends, or everyone. */
const audience = (usual: 'friends' | 'everyone') => ({
  of: z.enum(['none', 'friends', 'mutual', 'everyone']),
  default: usual,
});
const locale = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}$/;

/** All preferences by group, with what each may be and its default. Source: api-v3 §3.7. */
const preferences = {
  appearance: {
    auto: flag,
    theme: { of: z.enum(['light', 'dark', 'oled', 'retro']), default: 'dark' as const },
  },
  behavior: {
    minimize_app: flag,
    hide_right_sidebar: flag,
    show_jump_in: on,
    compact_instance_cards: flag,
    show_play_time: on,
    hide_nametag: flag,
    warn_on_unknown_modpacks: on,
    skip_non_essential_warnings: flag,
  },
  localization: { locale: { of: z.string().regex(locale, 'is not a language tag'), default: 'en-US' } },
  layouts: {
    mods: layout('rows'),
    plugins: layout('rows'),
    datapacks: layout('rows'),
    shaders: layout('grid'),
    resourcepacks: layout('grid'),
    modpacks: layout('rows'),
    servers: layout('rows'),
    users: layout('rows'),
  },
  sidebars: { right_aligned_search: flag, left_aligned_content: flag },
  social: {
    friend_privacy: audience('everyone'),
    shared_instances_privacy: audience('friends'),
    hosting_access_privacy: audience('friends'),
  },
} satisfies Record<string, Record<string, { of: z.ZodType; default: unknown }>>;

type Table = typeof preferences;
export type Preferences = {
  [G in keyof Table]: {
    [K in keyof Table[G]]: Table[G][K] extends { of: infer S extends z.ZodType } ? z.output<S> : never;
  };
};
/** Stored and sent changes: any part of the preferences. */
export type PreferenceEdit = { [G in keyof Preferences]?: Partial<Preferences[G]> | undefined };

const everyGroup = (
  of: (fields: Record<string, { of: z.ZodType; default: unknown }>) => z.ZodType,
): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(preferences).map(([group, fields]) => [group, of(fields)])));
const everyField = <T>(fields: Record<string, T>, of: (field: T) => z.ZodType) =>
  z.object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, of(field)])));

/** The preferences of a user, complete. */
export const preferencesShape = everyGroup((fields) => everyField(fields, (field) => field.of)).meta({
  id: 'Preferences',
}) as unknown as z.ZodType<Preferences>;

/** The body of PATCH preferences: any part; unknown values are refused, unknown names dropped. */
export const preferenceEditShape = everyGroup((fields) =>
  everyField(fields, (field) => field.of.optional()).optional(),
).meta({ id: 'PreferencesEdit' }) as unknown as z.ZodType<PreferenceEdit>;

/** What is stored, with the default for each preference that is missing or no longer valid. */
const storedShape = everyGroup((fields) =>
  z.preprocess(
    (group) => (typeof group === 'object' && group !== null ? group : {}),
    everyField(fields, (field) => field.of.catch(field.default as never)),
  ),
) as unknown as z.ZodType<Preferences>;

/** The preferences of a user. Refuses `not_found`, `not_yours`. Source: api-v3 §3.7. */
export async function preferencesOf(db: Db, actor: Actor, user_id: string): Promise<Preferences> {
  const [row] = await db<Array<{ data: unknown }>>`
    select p.data from users u left join user_preferences p on p.user_id = u.id where u.id = ${user_id}`;
  if (!row) throw new Refused('not_found', { id: user_id });
  assertAllowed(whyNotSetPreferences({ id: user_id }, actor));
  return storedShape.parse(row.data ?? {});
}

/** Merges a change into the preferences of a user. Refuses `not_found`, `not_yours`. Source: api-v3 §3.7. */
export async function editPreferences(
  tx: Db,
  actor: Actor,
  user_id: string,
  change: PreferenceEdit,
): Promise<void> {
  await tx`select 1 from users where id = ${user_id} for no key update`;
  const current = await preferencesOf(tx, actor, user_id);
  const groups = Object.keys(preferences) as Array<keyof Preferences>;
  const merged = Object.fromEntries(groups.map((group) => [group, { ...current[group], ...change[group] }]));
  if (JSON.stringify(merged) === JSON.stringify(current)) return;
  const data = tx.json(merged as never);
  await tx`
    insert into user_preferences ${tx({ user_id, data })}
    on conflict (user_id) do update set data = excluded.data`;
  await recordEvent(tx, { name: 'user.preferred', actor_id: actor.user_id, user_id });
}
