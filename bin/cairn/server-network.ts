import { type Command, InvalidArgumentError } from 'commander';
import { zoneText } from '#db/hosting/servers/network/rules.ts';
import type { DomainView, NetworkView } from '#db/hosting/servers/network/view.ts';
import { UserError } from '../user-error.ts';
import type { Asking } from './asking.ts';
import { print } from './print.ts';

interface Output {
  json?: boolean;
}
const id_help = 'ID of the server';

/** `server ports`: the port of the game, and extra ones. */
export function portsCommands(server: Command, asking: Asking): void {
  const ports = server
    .command('ports')
    .description('Shows and changes the ports of a server, from its next start on.');
  ports
    .command('list')
    .description('Prints the port of the game and the extra ports.')
    .argument('<id>', id_help)
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: Output) =>
        printPorts((await plane.request('network.show', { server_id: id })).network, json),
      ),
    );
  ports
    .command('add')
    .description('Adds the lowest free port of the node, TCP and UDP, and prints it.')
    .argument('<id>', id_help)
    .argument('<name>', 'what it is for, up to 32 characters')
    .option('--json', 'as JSON: all ports afterwards')
    .action(
      asking(async (plane, id: string, name: string, { json }: Output) => {
        const request = plane.request('network.add_port', { server_id: id, name }, { once: true });
        const { added, network } = await request;
        if (json) printPorts(network, json);
        else console.log(added);
      }),
    );
  ports
    .command('rename')
    .description('Renames an extra port.')
    .argument('<id>', id_help)
    .argument('<port>', 'its number', portNumber)
    .argument('<name>', 'up to 32 characters')
    .option('--json', 'as JSON: all ports afterwards')
    .action(
      asking(async (plane, id: string, port: number, name: string, { json }: Output) =>
        printPorts((await plane.request('network.rename_port', { server_id: id, port, name })).network, json),
      ),
    );
  ports
    .command('remove')
    .description('Removes an extra port. Another server may get that number: this cannot be undone.')
    .argument('<id>', id_help)
    .argument('<port>', 'its number', portNumber)
    .option('--json', 'as JSON: all ports afterwards')
    .action(
      asking(async (plane, id: string, port: number, { json }: Output) =>
        printPorts((await plane.request('network.remove_port', { server_id: id, port })).network, json),
      ),
    );
}

/** `server domain`: a domain of the owner's own. */
export function domainCommands(server: Command, asking: Asking): void {
  const domain = server
    .command('domain')
    .description('Shows, sets and checks a domain of your own that leads players to a server.');
  domain
    .command('show')
    .description('Prints the domain, whether it leads to the server, and the records that it needs.')
    .argument('<id>', id_help)
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: Output) =>
        printDomain((await plane.request('network.show', { server_id: id })).network, json),
      ),
    );
  domain
    .command('set')
    .description('Sets the domain, checks it and prints the records that it needs.')
    .argument('<id>', id_help)
    .argument('<domain>', 'such as play.example.org')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, name: string, { json }: Output) =>
        printDomain(
          (await plane.request('network.set_domain', { server_id: id, domain: name })).network,
          json,
        ),
      ),
    );
  domain
    .command('check')
    .description('Asks name servers now; exits with 1 unless the domain leads to the server.')
    .argument('<id>', id_help)
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: Output) => {
        const { network } = await plane.request('network.check_domain', { server_id: id });
        printDomain(network, json);
        if (network.domain?.state !== 'verified')
          throw new UserError(`${network.domain?.domain} does not lead to this server yet.`);
      }),
    );
  domain
    .command('export')
    .description('Prints the records in the format of zone files.')
    .argument('<id>', id_help)
    .action(
      asking(async (plane, id: string) => {
        const { network } = await plane.request('network.show', { server_id: id });
        console.log(zoneText(needed(network).records).trimEnd());
      }),
    );
  domain
    .command('remove')
    .description('Removes the domain; the server keeps its other addresses.')
    .argument('<id>', id_help)
    .action(
      asking(async (plane, id: string) => {
        await plane.request('network.remove_domain', { server_id: id });
      }),
    );
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 1 to 65535.');
  return port;
}

function printPorts({ address, ports, most, open_until_restart, agent_outdated }: NetworkView, json = false) {
  if (json) {
    const game = address?.port ?? null;
    console.log(JSON.stringify({ game, ports, most, open_until_restart, agent_outdated }, null, 2));
    return;
  }
  const game = address ? [{ port: address.port, name: '(game)' }] : [];
  const removed = open_until_restart.map((port) => ({
    port,
    name: '(removed, open until the next restart)',
  }));
  print([...game, ...ports, ...removed]);
}

function needed({ domain }: NetworkView): DomainView {
  if (!domain) throw new UserError('This server has no domain of its own.');
  return domain;
}

function printDomain(network: NetworkView, json = false): void {
  if (json) {
    console.log(JSON.stringify(network.domain, null, 2));
    return;
  }
  const { domain, state, records, found } = needed(network);
  console.log(`${domain}: ${state}${found.problem ? ` (${found.problem})` : ''}`);
  print(records.map((record) => ({ ...record, found: found.records.some(sameAs(record)) ? 'yes' : 'no' })));
  for (const { type, name, value } of found.records.filter((one) => !records.some(sameAs(one))))
    console.log(`also found: ${type} ${name} ${value}`);
}

const sameAs =
  (one: DomainView['records'][number]) =>
  (other: DomainView['records'][number]): boolean =>
    one.type === other.type && one.name === other.name && one.value === other.value;
