/** Rights of people on a game server. Source: specification §6; hosting §5.2. */

/** What a person may be allowed to do on a server of somebody else. Everybody on it sees it, its console included. */
export const serverRights = [
  'console',
  'power',
  'players',
  'content',
  'files',
  'backups',
  'schedules',
  'options',
  'reset',
  'people',
] as const;
export type ServerRight = (typeof serverRights)[number];

/** Roles that an invitation gives; the owner has every right. */
export const memberRoles = ['editor', 'viewer'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** The rights that come with a role; each may be changed for one person. */
export const roleRights: Record<MemberRole, readonly ServerRight[]> = {
  editor: ['console', 'power', 'players', 'content', 'files', 'backups', 'schedules', 'options'],
  viewer: [],
};

/** Most people on a server beside its owner, invitations included. */
export const max_members = 50;

/** A person who accepted an invitation. */
export interface ServerMember {
  user_id: string;
  rights: readonly ServerRight[];
}
