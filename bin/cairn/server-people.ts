import { type Command, Option } from 'commander';
import type { ServerPeople, ServerPerson } from '#db/hosting/servers/people/view.ts';
import {
  type MemberRole,
  memberRoles,
  roleRights,
  type ServerRight,
  serverRights,
} from '#db/hosting/servers/rights/rules.ts';
import { UserError } from '../user-error.ts';
import type { Asking } from './asking.ts';
import type { ControlClient } from './control-client.ts';
import { print } from './print.ts';

const role = () => new Option('--role <role>', 'editor or viewer').choices(memberRoles);

/** `server people`: who may use a server beside its owner. */
export function peopleCommands(server: Command, asking: Asking): void {
  const people = server
    .command('people')
    .description('Shows and changes who may use a server beside its owner, and answers invitations.');
  people
    .command('list')
    .description('Prints the owner and everybody on a server, invited people too.')
    .argument('<id>', 'ID of the server')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: { json?: boolean }) =>
        printPeople((await plane.request('people.list', { server_id: id })).people, json),
      ),
    );
  people
    .command('invite')
    .description('Invites a person, with the rights of the role unless --rights says otherwise.')
    .argument('<id>', 'ID of the server')
    .argument('<username>', 'name of the account')
    .addOption(role().default('viewer'))
    .option('--rights <rights>', 'rights separated by commas, all or none', rightsOf)
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, username: string, given: Given & { role: MemberRole }) => {
        const rights = given.rights ?? [...roleRights[given.role]];
        const message = { server_id: id, username, role: given.role, rights };
        printPeople((await plane.request('people.invite', message, { once: true })).people, given.json);
      }),
    );
  people
    .command('change')
    .description('Changes what a person may do; what is not given stays.')
    .argument('<id>', 'ID of the server')
    .argument('<username>', 'name of the account')
    .addOption(role())
    .option('--rights <rights>', 'rights separated by commas, all or none', rightsOf)
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, username: string, given: Given) => {
        const person = await personOf(plane, id, username);
        const chosen = given.role ?? person.role;
        const rights = given.rights ?? (given.role ? [...roleRights[given.role]] : person.rights);
        const message = { server_id: id, user_id: person.user_id, role: chosen, rights };
        printPeople((await plane.request('people.change', message)).people, given.json);
      }),
    );
  for (const [name, text] of [
    ['remove', 'Removes a person at once, or withdraws an invitation.'],
    ['resend', 'Sends an invitation again, once an hour.'],
  ] as const)
    people
      .command(name)
      .description(text)
      .argument('<id>', 'ID of the server')
      .argument('<username>', 'name of the account')
      .action(
        asking(async (plane, id: string, username: string) => {
          const { user_id } = await personOf(plane, id, username);
          await plane.request(`people.${name}`, { server_id: id, user_id });
        }),
      );
  people
    .command('leave')
    .description('Leaves a server of somebody else.')
    .argument('<id>', 'ID of the server')
    .action(
      asking(async (plane, id: string) => {
        await plane.request('people.leave', { server_id: id });
      }),
    );
  people
    .command('invitations')
    .description('Lists the invitations that wait for your answer.')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, { json }: { json?: boolean }) => {
        const { invitations } = await plane.request('people.invitations', {});
        print(
          json ? invitations : invitations.map((one) => ({ ...one, rights: one.rights.join(',') })),
          json,
        );
      }),
    );
  for (const answer of ['accept', 'decline'] as const)
    people
      .command(answer)
      .description(answer === 'accept' ? 'Accepts an invitation.' : 'Declines an invitation.')
      .argument('<id>', 'ID of the server')
      .action(
        asking(async (plane, id: string) => {
          await plane.request('people.answer', { server_id: id, answer });
        }),
      );
}

interface Given {
  role?: MemberRole;
  rights?: ServerRight[];
  json?: boolean;
}

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

function printPeople({ owner, people, ...rest }: ServerPeople, json?: boolean): void {
  if (json) console.log(JSON.stringify({ owner, people, ...rest }, null, 2));
  else
    print([
      { username: owner.username, role: 'owner', rights: 'all', since: '' },
      ...people.map((one) => ({
        username: one.username,
        role: one.role,
        rights: one.rights.join(',') || 'none',
        since: one.accepted ?? 'invited',
      })),
    ]);
}
