import { InvalidArgumentError } from 'commander';
import { zoneText } from '#db/hosting/servers/network/rules.ts';
import type { DomainView, NetworkView } from '#db/hosting/servers/network/view.ts';
import { UserError } from '../../user-error.ts';
import { printJson, printPlain } from '../print.ts';
import { flag, json, parsed, server_id, text } from './parameters.ts';
import { type Row, row } from './row.ts';

const allPorts = flag('--json', 'as JSON: all ports afterwards');
const port = parsed('<port>', 'its number', portNumber);

/** The port of the game, and extra ones. */
export const portRows: Row[] = [
  row('ports list', 'Prints the port of the game and the extra ports.', { server_id, json })
    .asks('network.show')
    .shows(({ network }) => portsOf(network), portLines),
  row('ports add', 'Adds the lowest free port of the node, TCP and UDP, and prints it.', {
    server_id,
    name: text('<name>', 'what it is for, up to 32 characters'),
    json: allPorts,
  })
    .asksOnce('network.add_port')
    .shows(
      ({ network }) => portsOf(network),
      (_ports, _values, { added }) => String(added),
    ),
  row('ports rename', 'Renames an extra port.', {
    server_id,
    port,
    name: text('<name>', 'up to 32 characters'),
    json: allPorts,
  })
    .asks('network.rename_port')
    .shows(({ network }) => portsOf(network), portLines),
  row('ports remove', 'Removes an extra port. Another server may get that number: this cannot be undone.', {
    server_id,
    port,
    json: allPorts,
  })
    .asks('network.remove_port')
    .shows(({ network }) => portsOf(network), portLines),
];

/** A domain of the owner's own. */
export const domainRows: Row[] = [
  row('domain show', 'Prints the domain, whether it leads to the server, and the records that it needs.', {
    server_id,
    json,
  })
    .asks('network.show')
    .lists(({ network }) => network.domain, domainLines),
  row('domain set', 'Sets the domain, checks it and prints the records that it needs.', {
    server_id,
    domain: text('<domain>', 'such as play.example.org'),
    json,
  })
    .asks('network.set_domain')
    .lists(({ network }) => network.domain, domainLines),
  row('domain check', 'Asks name servers now; exits with 1 unless the domain leads to the server.', {
    server_id,
    json,
  })
    .asks('network.check_domain')
    .prints(({ network: { domain } }, { json }) => {
      if (json) printJson(domain);
      else domainLines(domain).forEach(printPlain);
      if (domain?.state !== 'verified')
        throw new UserError(`${domain?.domain} does not lead to this server yet.`);
    }),
  row('domain export', 'Prints the records in the format of zone files.', { server_id })
    .asks('network.show')
    .says(({ network }) => zoneText(needed(network.domain).records).trimEnd()),
  row('domain remove', 'Removes the domain; the server keeps its other addresses.', { server_id }).asks(
    'network.remove_domain',
  ),
];

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new InvalidArgumentError('It must be a number from 1 to 65535.');
  return port;
}

const portsOf = ({ address, ports, most, open_until_restart, agent_outdated }: NetworkView) => ({
  game: address?.port ?? null,
  ...{ ports, most, open_until_restart, agent_outdated },
});

function portLines({ game, ports, open_until_restart }: ReturnType<typeof portsOf>) {
  const removed = '(removed, open until the next restart)';
  return [
    ...(game === null ? [] : [{ port: game, name: '(game)' }]),
    ...ports,
    ...open_until_restart.map((port) => ({ port, name: removed })),
  ];
}

function needed(domain: DomainView | null): DomainView {
  if (!domain) throw new UserError('This server has no domain of its own.');
  return domain;
}

function domainLines(view: DomainView | null) {
  const { domain, state, records, found } = needed(view);
  const more = found.records.filter((one) => !records.some(sameAs(one)));
  return [
    `${domain}: ${state}${found.problem ? ` (${found.problem})` : ''}`,
    records.map((record) => ({ ...record, found: found.records.some(sameAs(record)) ? 'yes' : 'no' })),
    ...more.map(({ type, name, value }) => `also found: ${type} ${name} ${value}`),
  ];
}

const sameAs =
  (one: DomainView['records'][number]) =>
  (other: DomainView['records'][number]): boolean =>
    one.type === other.type && one.name === other.name && one.value === other.value;
