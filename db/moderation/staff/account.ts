import { storedForms } from '../../platform/people/email-address.ts';
import type { Role } from '../../platform/people/rules.ts';
import type { ReadContext } from '../../platform/read-context.ts';

/** An account as staff see it. */
interface AccountDetails {
  id: string;
  username: string;
  role: Role;
  /** Those that were given; Plus that is paid for is `has_plus`. */
  badges: number;
  has_plus: boolean;
  created: string;
  email: string | null;
  email_verified: boolean;
  has_password: boolean;
  totp: boolean;
  passkeys: number;
  /** Sign-in providers that are linked. */
  providers: string[];
  tokens: number;
  sessions: number;
  suspended_until: string | null;
  suspension_reason: string | null;
  /** What counts against limits. */
  owned: { projects: number; servers: number; organizations: number; collections: number };
  reports: { made: number; about: number };
}

/** The account with this id and what protects and limits it, in one query; null without one. Checks no rule. */
export async function accountDetails(
  { sql }: Pick<ReadContext, 'sql'>,
  user_id: string,
): Promise<AccountDetails | null> {
  const [row] = await sql<AccountDetails[]>`
    select u.id, u.username, u.role, u.badges, exists (select from plus_members p where p.user_id = u.id) as has_plus, u.created, u.email, u.email_verified, u.suspended_until,
      u.suspension_reason, u.password_hash is not null as has_password,
      coalesce(f.totp_secret is not null, false) as totp,
      (select count(*)::int from passkeys k where k.user_id = u.id) as passkeys,
      array(select provider from linked_accounts l where l.user_id = u.id order by provider) as providers,
      (select count(*)::int from tokens t where t.user_id = u.id) as tokens,
      (select count(*)::int from sessions s where s.user_id = u.id) as sessions,
      json_build_object(
        'projects', (select count(*) from team_members m join projects p on p.team = m.team_id
          where m.user_id = u.id and m.is_owner),
        'servers', (select count(*) from servers s where s.owner_id = u.id and s.lifecycle <> 'deprovisioning'),
        'organizations', (select count(*) from team_members m join organizations o on o.team_id = m.team_id
          where m.user_id = u.id and m.is_owner),
        'collections', (select count(*) from collections c where c.user_id = u.id)) as owned,
      json_build_object(
        'made', (select count(*) from reports r where r.reporter = u.id),
        'about', (select count(*) from reports r where r.user_id = u.id)) as reports
    from users u left join two_factor f on f.user_id = u.id where u.id = ${user_id}`;
  return row ?? null;
}

/** The id of the account with this e-mail address, name or id, null without one. Checks no rule. */
export async function accountIdOf({ sql }: Pick<ReadContext, 'sql'>, text: string): Promise<string | null> {
  if (text.includes('\0') || !text.isWellFormed()) return null;
  const emails = storedForms(text);
  const name = text.trim();
  const [row] = await sql<Array<{ id: string }>>`
    select id from users
    where email = any(${emails}::text[]::citext[]) or username = ${name}::text::citext or id = ${name}
    order by email = any(${emails}::text[]::citext[]) desc nulls last limit 1`;
  return row?.id ?? null;
}
