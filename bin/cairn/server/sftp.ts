import { readFileSync } from 'node:fs';
import type { SftpView } from '#db/hosting/servers/sftp/view.ts';
import { UserError } from '../../user-error.ts';
import { flag, json, required, server_id, text } from './parameters.ts';
import { type Row, row } from './row.ts';

/** How the user of the token signs in to the files of a server. */
export const sftpRows: Row[] = [
  row('sftp show', 'Prints address, user name and keys.', { server_id, json })
    .asks('sftp.show')
    .shows('sftp', accessLines),
  row(
    'sftp password',
    'Makes a new password and prints it, this once. Connections that used the one before end.',
    { server_id, json: flag('--json', 'as JSON, with address and user name') },
  )
    .asks('sftp.set_password')
    .shows(
      ({ sftp, password }) => ({ ...sftp, new_password: password }),
      ({ new_password }) => new_password,
    ),
  row('sftp key add', 'Adds a public key and prints its ID.', {
    server_id,
    file: text('<file>', 'file with the public key, such as ~/.ssh/id_ed25519.pub; - = standard input'),
    name: required(text('--name <name>', 'name of the key, 1 to 48 characters')),
    json,
  })
    .asks('sftp.add_key', ({ file, ...message }) => ({ ...message, public_key: readKey(file) }))
    .shows(
      ({ sftp, key_id }) => sftp.keys.find(({ id }) => id === key_id),
      (_key, _values, { key_id }) => key_id,
    ),
  row('sftp key remove', 'Removes a public key; connections that used it end.', {
    server_id,
    key_id: text('<key>', 'ID of the key'),
    json: flag('--json', 'as JSON: the keys that stay'),
  })
    .asks('sftp.remove_key')
    .lists(
      ({ sftp }) => sftp.keys,
      () => [],
    ),
];

function accessLines({ host, port, user, host_fingerprint, password, keys }: SftpView) {
  const made = password && `made ${password.created}, used ${password.last_used ?? 'never'}`;
  return [
    { name: 'command', value: `sftp -P ${port} ${user}@${host}` },
    { name: 'host key', value: host_fingerprint ?? '' },
    { name: 'password', value: made ?? 'none' },
    ...keys.map((one) => ({
      name: `key ${one.id}`,
      value: `${one.name}, ${one.fingerprint}, used ${one.last_used ?? 'never'}`,
    })),
  ];
}

function readKey(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UserError(`${file} can’t be read: ${(error as Error).message}`);
  }
}
