import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { icon_path, icon_px } from '#db/hosting/servers/icon/rules.ts';
import type { SubdomainView } from '#db/hosting/servers/names/view.ts';
import { Refused } from '#db/platform/errors.ts';
import { UserError } from '../../user-error.ts';
import { printJson, show } from '../print.ts';
import { fixed, json, op_id, server_id, text } from './parameters.ts';
import { type Row, row, staffRow } from './row.ts';
import { serverLine } from './server-line.ts';

const newName = text('<name>', '5 to 32 letters, digits and dashes');

/** What the general options of a panel change and show: name, icon, subdomain, and what explains a problem. */
export const generalRows: Row[] = [
  row('rename', 'Gives a server another name.', {
    server_id,
    name: text('<name>', '1 to 48 characters'),
    json,
  })
    .asks('server.rename')
    .shows('server', (server) => [serverLine(server)]),
  row('icon get', 'Writes the icon into a PNG file.', {
    server_id,
    file: text('<file>', 'the file, which must not exist'),
  })
    .asks('icon.show', ({ server_id }) => ({ server_id }))
    .prints(({ png }, { file }) => {
      if (png === null) throw new Refused('file_not_found', { path: icon_path });
      writeNew(file, Buffer.from(png, 'base64'));
    }),
  row('icon set', `Makes the icon of a picture: its middle, at ${icon_px} x ${icon_px} pixels.`, {
    server_id,
    file: text('<file>', 'a picture of any size'),
    json,
  })
    .asks('icon.change', async ({ server_id, file }, plane) => {
      const png = (await toIcon(file)).toString('base64');
      const { etag } = await plane.request('icon.show', { server_id });
      return { server_id, png, etag };
    })
    .lists(() => []),
  row('icon remove', 'Moves the icon to the trash.', { server_id, op_id }).asks(
    'files.delete',
    (message) => ({ ...message, paths: [icon_path] }),
  ),
  row('subdomain show', 'Prints the name and its DNS records.', { server_id, json })
    .asks('subdomain.show')
    .lists(requireDomain, subdomainLines),
  row('subdomain check', 'Prints whether a server can have a name; exit code 2 when it cannot.', {
    server_id,
    name: newName,
    json,
  })
    .asks('subdomain.check')
    .prints(async ({ why }, { name, json }) => {
      await show({ name, why }, json, () => why ?? 'free');
      if (why) process.exitCode = 2;
    }),
  row('subdomain set', 'Gives a server a name. The one before is free for others at once.', {
    server_id,
    name: newName,
    json,
  })
    .asks('subdomain.change')
    .lists(requireDomain, subdomainLines),
  row('subdomain remove', 'Takes the name away: others can have it at once.', {
    server_id,
    name: fixed(null),
    json,
  })
    .asks('subdomain.change')
    .lists(requireDomain, subdomainLines),
  staffRow('dns', 'Prints the DNS records of all servers with a name, as a zone. For administrators.', {})
    .asks('dns.zone', () => ({}))
    .says(({ zone }) => zone.trimEnd()),
  row('debug-bundle', 'Prints all that explains the state of a server, without secrets and personal data.', {
    server_id,
    output: text('--output <file>', 'writes it into a file, which must not exist'),
    json,
  })
    .asks('debug.bundle', ({ server_id }) => ({ server_id }))
    .prints((bundle, { output, json }) => {
      if (json) printJson(bundle);
      else if (output === undefined) console.log(bundle.text);
      else writeNew(output, bundle.text);
    }),
];

async function toIcon(file: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const size = { width: icon_px, height: icon_px, fit: 'cover' } as const;
  try {
    return await sharp(readFileSync(file)).resize(size).png({ compressionLevel: 9 }).toBuffer();
  } catch (error) {
    throw new UserError(`${file} is no picture that can be read: ${(error as Error).message}`);
  }
}

/** Writes a file that does not exist yet. */
function writeNew(file: string, content: string | Buffer): void {
  if (existsSync(file)) throw new UserError(`${file} exists already.`);
  writeFileSync(file, content, { flag: 'wx' });
}

function requireDomain(view: SubdomainView): SubdomainView {
  if (!view.domain) throw new Refused('subdomains_off');
  return view;
}

function subdomainLines({ subdomain, domain, records }: SubdomainView) {
  return [...(subdomain ? [`${subdomain}.${domain}`] : []), records];
}
