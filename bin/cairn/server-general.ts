import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { StaffRequests } from '#control/protocol/staff.ts';
import { icon_path, icon_px } from '#db/hosting/servers/icon/rules.ts';
import type { SubdomainView } from '#db/hosting/servers/names/view.ts';
import { Refused } from '#db/platform/errors.ts';
import { UserError } from '../user-error.ts';
import type { Asking } from './asking.ts';
import type { ControlClient } from './control-client.ts';
import { print } from './print.ts';
import { serverLine } from './server-line.ts';

interface Json {
  json?: boolean;
}
const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

/** `server rename`, `icon`, `subdomain`, `dns` and `debug-bundle`: what the general options of a panel change and show. */
export function generalCommands(
  server: Command,
  asking: Asking,
  asStaff: Asking<ControlClient<StaffRequests>>,
): void {
  server
    .command('rename')
    .description('Gives a server another name.')
    .argument('<id>', 'ID of the server')
    .argument('<name>', '1 to 48 characters')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, name: string, { json }: Json) => {
        const { server: view } = await plane.request('server.rename', { server_id, name });
        if (json) printJson(view);
        else print([serverLine(view)]);
      }),
    );
  iconCommands(server, asking);
  subdomainCommands(server, asking);
  server
    .command('dns')
    .description('Prints the DNS records of all servers with a name, as a zone. For administrators.')
    .action(asStaff(async (plane) => console.log((await plane.request('dns.zone', {})).zone.trimEnd())));
  server
    .command('debug-bundle')
    .description('Prints all that explains the state of a server, without secrets and personal data.')
    .argument('<id>', 'ID of the server')
    .option('--output <file>', 'writes it into a file, which must not exist')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, { output, json }: Json & { output?: string }) => {
        const bundle = await plane.request('debug.bundle', { server_id });
        if (json) printJson(bundle);
        else if (output === undefined) console.log(bundle.text);
        else writeNew(output, bundle.text);
      }),
    );
}

function iconCommands(server: Command, asking: Asking): void {
  const icon = server
    .command('icon')
    .description('Shows and changes the picture that players see, from the next start on.');
  icon
    .command('get')
    .description('Writes the icon into a PNG file.')
    .argument('<id>', 'ID of the server')
    .argument('<file>', 'the file, which must not exist')
    .action(
      asking(async (plane, server_id: string, file: string) => {
        const { png } = await plane.request('icon.show', { server_id });
        if (png === null) throw new Refused('file_not_found', { path: icon_path });
        writeNew(file, Buffer.from(png, 'base64'));
      }),
    );
  icon
    .command('set')
    .description(`Makes the icon of a picture: its middle, at ${icon_px} x ${icon_px} pixels.`)
    .argument('<id>', 'ID of the server')
    .argument('<file>', 'a picture of any size')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, file: string, { json }: Json) => {
        const png = (await toIcon(file)).toString('base64');
        const { etag } = await plane.request('icon.show', { server_id });
        const changed = await plane.request('icon.change', { server_id, png, etag });
        if (json) printJson(changed);
      }),
    );
  icon
    .command('remove')
    .description('Moves the icon to the trash.')
    .argument('<id>', 'ID of the server')
    .action(
      asking(async (plane, server_id: string) => {
        await plane.request('files.delete', { server_id, op_id: randomUUID(), paths: [icon_path] });
      }),
    );
}

async function toIcon(file: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const size = { width: icon_px, height: icon_px, fit: 'cover' } as const;
  try {
    return await sharp(readFileSync(file)).resize(size).png({ compressionLevel: 9 }).toBuffer();
  } catch (error) {
    throw new UserError(`${file} is no picture that can be read: ${(error as Error).message}`);
  }
}

function subdomainCommands(server: Command, asking: Asking): void {
  const subdomain = server
    .command('subdomain')
    .description('Shows and changes the name of a server below the domain of the site.');
  subdomain
    .command('show')
    .description('Prints the name and its DNS records.')
    .argument('<id>', 'ID of the server')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, { json }: Json) =>
        printSubdomain(await plane.request('subdomain.show', { server_id }), json),
      ),
    );
  subdomain
    .command('check')
    .description('Prints whether a server can have a name; exit code 2 when it cannot.')
    .argument('<id>', 'ID of the server')
    .argument('<name>', '5 to 32 letters, digits and dashes')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, name: string, { json }: Json) => {
        const { why } = await plane.request('subdomain.check', { server_id, name });
        if (json) printJson({ name, why });
        else console.log(why ?? 'free');
        if (why) process.exitCode = 2;
      }),
    );
  subdomain
    .command('set')
    .description('Gives a server a name. The one before is free for others at once.')
    .argument('<id>', 'ID of the server')
    .argument('<name>', '5 to 32 letters, digits and dashes')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, name: string, { json }: Json) =>
        printSubdomain(await plane.request('subdomain.change', { server_id, name }), json),
      ),
    );
  subdomain
    .command('remove')
    .description('Takes the name away: others can have it at once.')
    .argument('<id>', 'ID of the server')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, { json }: Json) =>
        printSubdomain(await plane.request('subdomain.change', { server_id, name: null }), json),
      ),
    );
}

function printSubdomain(view: SubdomainView, json = false): void {
  if (!view.domain) throw new Refused('subdomains_off');
  if (json) printJson(view);
  else {
    if (view.subdomain) console.log(`${view.subdomain}.${view.domain}`);
    print(view.records);
  }
}

/** Writes a file that does not exist yet. */
function writeNew(file: string, content: string | Buffer): void {
  if (existsSync(file)) throw new UserError(`${file} exists already.`);
  writeFileSync(file, content, { flag: 'wx' });
}
