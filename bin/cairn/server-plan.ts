import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Asking } from './asking.ts';
import { positive, print } from './print.ts';

interface Wanted {
  plan: string;
  ram?: number;
  interval: string;
  json?: boolean;
}

const wantedOf = (server_id: string, { plan, ram, interval }: Wanted) => ({
  ...{ server_id, plan, interval },
  ram_gb: ram ?? null,
});
const whatToHave = (command: Command): Command =>
  command
    .argument('<id>', 'ID of the server')
    .requiredOption('--plan <plan>', 'small, medium, large or custom')
    .option('--ram <gb>', 'memory of a custom plan in GB', positive)
    .option('--interval <interval>', 'monthly, quarterly or yearly', 'monthly')
    .option('--json', 'as JSON');

/** `server plan`: plan and billing interval of a server that runs. */
export function planCommands(server: Command, asking: Asking): void {
  const plan = server
    .command('plan')
    .description('Works out and makes changes of plan and billing interval.');
  whatToHave(
    plan.command('preview').description('Prints what a change would cost and when it begins.'),
  ).action(
    asking(async (plane, id: string, wanted: Wanted) => {
      const outlook = await plane.request('plan.preview', wantedOf(id, wanted));
      if (wanted.json) console.log(JSON.stringify(outlook, null, 2));
      else print([outlook]);
    }),
  );
  whatToHave(
    plan.command('set').description('Changes the plan; what is due is charged to the saved card.'),
  ).action(
    asking(async (plane, id: string, wanted: Wanted) => {
      const answer = await plane.request('plan.change', { ...wantedOf(id, wanted), op_id: randomUUID() });
      console.log(wanted.json ? JSON.stringify(answer) : answer.state);
    }),
  );
  plan
    .command('keep')
    .description('Takes back a change that waits for the next period.')
    .argument('<id>', 'ID of the server')
    .action(
      asking(async (plane, id: string) => {
        await plane.request('plan.keep', { server_id: id });
        console.log('The plan stays.');
      }),
    );
}
