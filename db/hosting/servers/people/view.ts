import { z } from 'zod';
import { memberRoles, serverRights } from '../rights/rules.ts';

/** A person on a server beside its owner, or one who is invited. */
const serverPerson = z.strictObject({
  user_id: z.string(),
  username: z.string(),
  avatar_url: z.string().nullable(),
  role: z.enum(memberRoles),
  rights: z.array(z.enum(serverRights)),
  invited_by: z.string().nullable(),
  created: z.string(),
  /** Null while the invitation waits for an answer. */
  accepted: z.string().nullable(),
  /** When the invitation was sent last. */
  sent: z.string(),
});
export type ServerPerson = z.output<typeof serverPerson>;

/** The people of a server as one of them sees them. */
export const serverPeople = z.strictObject({
  owner: z.strictObject({ user_id: z.string(), username: z.string(), avatar_url: z.string().nullable() }),
  /** Those who joined by name, then the invited ones, whom only those see who may invite. */
  people: z.array(serverPerson),
  most: z.int(),
  /** The user who asks. */
  me: z.string(),
});
export type ServerPeople = z.output<typeof serverPeople>;

/** A person who has the panel of a server open. */
export interface PersonHere {
  user_id: string;
  username: string;
  avatar_url: string | null;
}

/** An invitation as the invited person sees it. */
export const serverInvitation = z.strictObject({
  server_id: z.string(),
  server: z.string(),
  owner: z.string(),
  invited_by: z.string().nullable(),
  role: z.enum(memberRoles),
  rights: z.array(z.enum(serverRights)),
  sent: z.string(),
});
export type ServerInvitation = z.output<typeof serverInvitation>;
