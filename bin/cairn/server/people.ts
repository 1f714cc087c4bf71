import type { ServerPeople, ServerPerson } from '#db/hosting/servers/people/view.ts';
import { memberRoles, roleRights, type ServerRight, serverRights } from '#db/hosting/servers/rights/rules.ts';
import { UserError } from '../../user-error.ts';
import type { ControlClient } from '../control-client.ts';
import { choice, fixed, json, parsed, server_id, text, usually } from './parameters.ts';
import { type Row, row } from './row.ts';

const username = text('<username>', 'name of the account');
const role = () => choice('--role <role>', 'editor or viewer', memberRoles);
const rights = parsed('--rights <rights>', 'rights separated by commas, all or none', rightsOf);

/** Who may use a server beside its owner. */
export const peopleRows: Row[] = [
  row('people list', 'Prints the owner and everybody on a server, invited people too.', { server_id, json })
    .asks('people.list')
    .shows(peopleOf, peopleLines),
  row('people invite', 'Invites a person, with the rights of the role unless --rights says otherwise.', {
    server_id,
    username,
    role: usually(role(), 'viewer'),
    rights,
    json,
  })
    .asksOnce('people.invite', ({ rights, ...message }) => ({
      ...message,
      rights: rights ?? [...roleRights[message.role]],
    }))
    .shows(peopleOf, peopleLines),
  row('people change', 'Changes what a person may do; what is not given stays.', {
    server_id,
    username,
    role: role(),
    rights,
    json,
  })
    .asks('people.change', async ({ server_id, username, role, rights }, plane) => {
      const person = await personOf(plane, server_id, username);
      return {
        ...{ server_id, user_id: person.user_id, role: role ?? person.role },
        rights: rights ?? (role ? [...roleRights[role]] : person.rights),
      };
    })
    .shows(peopleOf, peopleLines),
  row('people remove', 'Removes a person at once, or withdraws an invitation.', { server_id, username }).asks(
    'people.remove',
    userOf,
  ),
  row('people resend', 'Sends an invitation again, once an hour.', { server_id, username }).asks(
    'people.resend',
    userOf,
  ),
  row('people leave', 'Leaves a server of somebody else.', { server_id }).asks('people.leave'),
  row('people invitations', 'Lists the invitations that wait for your answer.', { json })
    .asks('people.invitations', () => ({}))
    .shows('invitations', (invitations) =>
      invitations.map((one) => ({ ...one, rights: one.rights.join(',') })),
    ),
  row('people accept', 'Accepts an invitation.', { server_id, answer: fixed('accept') }).asks(
    'people.answer',
  ),
  row('people decline', 'Declines an invitation.', { server_id, answer: fixed('decline') }).asks(
    'people.answer',
  ),
];

function rightsOf(text: string): ServerRight[] {
  if (text === 'none' || text === '') return [];
  if (text === 'all') return [...serverRights];
  return text.split(',').map((name) => {
    const right = serverRights.find((one) => one === name.trim());
    if (!right) throw new UserError(`${name} is not one of ${serverRights.join(', ')}.`);
    return right;
  });
}

async function personOf(plane: ControlClient, server_id: string, username: string): Promise<ServerPerson> {
  const { people } = (await plane.request('people.list', { server_id })).people;
  const person = people.find((one) => one.username.toLowerCase() === username.toLowerCase());
  if (!person) throw new UserError(`${username} is not on this server.`);
  return person;
}

async function userOf(
  { server_id, username }: { server_id: string; username: string },
  plane: ControlClient,
): Promise<{ server_id: string; user_id: string }> {
  const { user_id } = await personOf(plane, server_id, username);
  return { server_id, user_id };
}

/** In the order that programs got them in. */
function peopleOf({ people: { owner, people, ...rest } }: { people: ServerPeople }): ServerPeople {
  return { owner, people, ...rest };
}

function peopleLines({ owner, people }: ServerPeople) {
  return [
    { username: owner.username, role: 'owner', rights: 'all', since: '' },
    ...people.map((one) => ({
      username: one.username,
      role: one.role,
      rights: one.rights.join(',') || 'none',
      since: one.accepted ?? 'invited',
    })),
  ];
}
