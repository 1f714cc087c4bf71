import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { SftpView } from '#db/hosting/servers/sftp/view.ts';
import { UserError } from '../user-error.ts';
import type { Asking } from './asking.ts';
import { print } from './print.ts';

/** `server sftp`: how the user of the token signs in to the files of a server. */
export function sftpCommands(server: Command, asking: Asking): void {
  const sftp = server
    .command('sftp')
    .description('Shows and changes how you reach the files of a server by SFTP.');
  sftp
    .command('show')
    .description('Prints address, user name and keys.')
    .argument('<id>', 'ID of the server')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, { json }: { json?: boolean }) => {
        const { sftp: view } = await plane.request('sftp.show', { server_id: id });
        if (json) console.log(JSON.stringify(view, null, 2));
        else print(linesOf(view));
      }),
    );
  sftp
    .command('password')
    .description('Makes a new password and prints it, this once. Connections that used the one before end.')
    .argument('<id>', 'ID of the server')
    .option('--json', 'as JSON, with address and user name')
    .action(
      asking(async (plane, id: string, { json }: { json?: boolean }) => {
        const { sftp: view, password } = await plane.request('sftp.set_password', { server_id: id });
        console.log(json ? JSON.stringify({ ...view, new_password: password }, null, 2) : password);
      }),
    );
  const key = sftp.command('key').description('Adds and removes public keys.');
  key
    .command('add')
    .description('Adds a public key and prints its ID.')
    .argument('<id>', 'ID of the server')
    .argument('<file>', 'file with the public key, such as ~/.ssh/id_ed25519.pub; - = standard input')
    .requiredOption('--name <name>', 'name of the key, 1 to 48 characters')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, id: string, file: string, { name, json }: { name: string; json?: boolean }) => {
        const message = { server_id: id, name, public_key: readKey(file) };
        const { sftp: view, key_id } = await plane.request('sftp.add_key', message);
        console.log(
          json
            ? JSON.stringify(
                view.keys.find((one) => one.id === key_id),
                null,
                2,
              )
            : key_id,
        );
      }),
    );
  key
    .command('remove')
    .description('Removes a public key; connections that used it end.')
    .argument('<id>', 'ID of the server')
    .argument('<key>', 'ID of the key')
    .option('--json', 'as JSON: the keys that stay')
    .action(
      asking(async (plane, id: string, key_id: string, { json }: { json?: boolean }) => {
        const { sftp: view } = await plane.request('sftp.remove_key', { server_id: id, key_id });
        if (json) console.log(JSON.stringify(view.keys, null, 2));
      }),
    );
}

const linesOf = ({ host, port, user, host_fingerprint, password, keys }: SftpView) => [
  { name: 'command', value: `sftp -P ${port} ${user}@${host}` },
  { name: 'host key', value: host_fingerprint ?? '' },
  {
    name: 'password',
    value: password ? `made ${password.created}, used ${password.last_used ?? 'never'}` : 'none',
  },
  ...keys.map((one) => ({
    name: `key ${one.id}`,
    value: `${one.name}, ${one.fingerprint}, used ${one.last_used ?? 'never'}`,
  })),
];

function readKey(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UserError(`${file} can’t be read: ${(error as Error).message}`);
  }
}
