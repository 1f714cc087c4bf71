import { type Command, InvalidArgumentError, Option } from 'commander';
import { messages } from '#content/messages.ts';
import type { AppContext } from '#db/context.ts';
import { nodeViews } from '#db/hosting/nodes/read.ts';
import { rotateNow } from '#db/hosting/nodes/rotate.ts';
import { joinCommand, nodePorts } from '#db/hosting/nodes/rules.ts';
import type { NodeView } from '#db/hosting/nodes/view.ts';
import { addNode, reissueJoinToken, removeNode, setDraining } from '#db/hosting/nodes/write.ts';
import { emptyNode, giveUpNode } from '#db/hosting/servers/moves/request.ts';
import { regions } from '#db/money/billing/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import { positive, print } from './print.ts';
import { withContext } from './with-context.ts';

/** `node`: the machines that run game servers. */
export function nodeCommands(program: Command): void {
  const node = program.command('node').description('Manages nodes: the machines that run game servers.');
  node
    .command('add')
    .description('Adds a node and prints its join command, which works once within a day.')
    .argument('<name>', '1 to 32 characters: a-z, 0-9 and dashes')
    .requiredOption('--address <address>', 'address that players use')
    .addOption(
      new Option('--region <region>', 'region that buyers can choose').choices(regions).makeOptionMandatory(),
    )
    .option('--bind <address>', 'the address that its game ports bind to', '0.0.0.0')
    .option('--ports <from-to>', 'ports of its game servers', portRange, {
      port_from: nodePorts.from,
      port_to: nodePorts.to,
    })
    .option('--overcommit <factor>', 'overcommit factor of its capacity', factor, 1)
    .option('--ram <mb>', 'memory for servers, in MB (default: all)', positive)
    .option('--cpu <millis>', 'CPU for servers, 1000 per core (default: all)', positive)
    .option('--disk <mb>', 'storage for servers, in MB (default: all)', positive)
    .action(async (name, { address, region, bind, ports, overcommit, ram, cpu, disk }) => {
      const { command } = await withContext(async ({ sql, settings, now }) => {
        const wish = {
          ...{ name, region, public_address: address, bind_address: bind, ...ports, overcommit },
          ...{ ram_mb: ram ?? null, cpu_millis: cpu ?? null, disk_mb: disk ?? null },
        };
        const { join_token } = await sql.begin((tx) => addNode(tx, wish, now()));
        return { command: joinCommand(settings.SITE_URL, join_token) };
      });
      console.log(command);
    });
  node
    .command('rejoin')
    .description('Prints a new join command for a node; its previous agent is refused afterwards.')
    .argument('<name>', 'name or ID')
    .action(async (name) => {
      const command = await withContext(async ({ sql, settings, now }) => {
        const { id } = await existing({ sql, now }, name);
        const { join_token } = await sql.begin((tx) => reissueJoinToken(tx, id, now()));
        return joinCommand(settings.SITE_URL, join_token);
      });
      console.log(command);
    });
  node
    .command('rotate')
    .description(
      'Rotates the secret of a node; the previous one stays valid for another day. Prints the new one when no agent is connected.',
    )
    .argument('<name>', 'name or ID')
    .action(async (name) => {
      const { secret } = await withContext(async (record) => {
        const { id } = await existing(record, name);
        return await rotateNow(record.sql, id, { now: record.now, patience_ms });
      });
      if (secret === null) {
        console.log('The agent has saved a new secret; the previous one stays valid for another day.');
        return;
      }
      console.error(
        'No agent is connected for this node. Within a day, write this to the file `secret` in its folder:',
      );
      console.log(secret);
    });
  node
    .command('list')
    .description('Lists the nodes with their capacity.')
    .option('--json', 'as JSON')
    .action(async ({ json }) => {
      const views = await withContext(({ sql, now }) => nodeViews(sql, now()));
      print(json ? views : views.map(lineOf), json);
    });
  node
    .command('drain')
    .description('Drains a node: it gets no new servers, existing ones stay.')
    .argument('<name>', 'name or ID')
    .option('--off', 'accept new servers again')
    .option('--move', 'move its servers to other nodes, one after the other')
    .option('--drop-backups', 'with --move: backups that only this node has may be lost')
    .action(async (name, { off, move, dropBackups }) => {
      await withContext(async ({ sql, now }) => {
        const { id } = await existing({ sql, now }, name);
        if (!move) return void (await sql.begin((tx) => setDraining(tx, id, !off)));
        const how = { actor_id: null, drop_backups: dropBackups ?? false };
        const { moving, staying } = await sql.begin((tx) => emptyNode(tx, id, how, now()));
        console.log(`${moving} servers move away. \`cairn server moves\` shows how far they are.`);
        if (staying.length > 0)
          print(staying.map(({ refused, ...one }) => ({ ...one, code: refused.code, why: refused.message })));
      });
    });
  node
    .command('give-up')
    .description(
      'Gives up a node that will not come back: its servers are restored on other nodes from their newest backups.',
    )
    .argument('<name>', 'name or ID')
    .action(async (name) => {
      await withContext(async ({ sql, now }) => {
        const { id } = await existing({ sql, now }, name);
        const { rescued, lost } = await sql.begin((tx) => giveUpNode(tx, id, null, now()));
        console.log(`${rescued} servers are restored elsewhere, ${lost} have no backup outside this node.`);
      });
    });
  node
    .command('remove')
    .description('Removes a node without servers.')
    .argument('<name>', 'name or ID')
    .action(async (name) => {
      await withContext(async ({ sql, now }) => {
        const { id } = await existing({ sql, now }, name);
        await sql.begin((tx) => removeNode(tx, id));
      });
    });
}

/** How long to wait for the control plane, in milliseconds. The agent has ten seconds to answer. */
const patience_ms = 15_000;

async function existing({ sql, now }: Pick<AppContext, 'sql' | 'now'>, name: string): Promise<NodeView> {
  const views = await nodeViews(sql, now());
  const found = views.find((view) => view.name === name || view.id === name);
  if (!found) throw new Refused('node_unknown', { node: name });
  return found;
}

const lineOf = (view: NodeView) => ({
  ...{ id: view.id, name: view.name, region: view.region, address: view.public_address },
  status: statusOf(view),
  servers: `${view.servers} (${view.running} running)`,
  ram_mb: shareOf(view.ram_mb),
  cpu_millis: shareOf(view.cpu_millis),
  disk_mb: shareOf(view.disk_mb),
  ports: `${view.ports.used}/${view.ports.all}`,
});

/** The status in the words of the nodes board. */
function statusOf({ status, draining }: NodeView): string {
  const { t } = messages('en-US');
  const word = t(`nodes.state_${status}`);
  return draining ? `${word}, ${t('nodes.state_draining')}` : word;
}

const shareOf = (share: NodeView['ram_mb']): string => (share ? `${share.promised}/${share.most}` : '');

/** "25600-25999" as its two ends. */
function portRange(text: string): { port_from: number; port_to: number } {
  const [port_from = 0, port_to = 0] = text.split('-').map(Number);
  if (!/^\d+-\d+$/.test(text) || port_from < 1024 || port_from > port_to || port_to > 65535)
    throw new InvalidArgumentError('It must be two ports from 1024 to 65535, separated by a dash.');
  return { port_from, port_to };
}

function factor(text: string): number {
  const number = Number(text);
  if (!(number >= 0.1 && number <= 100))
    throw new InvalidArgumentError('It must be a number from 0.1 to 100.');
  return number;
}
