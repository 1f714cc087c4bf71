import ssh2 from 'ssh2';
import { fingerprintOf } from '#db/hosting/servers/sftp/public-key.ts';
import { readOrMakeSecret } from '#db/platform/secrets/key-file.ts';

/** The key by which clients know this installation again. */
export interface HostKey {
  /** In the format of OpenSSH. */
  private_key: string;
  /** As `ssh-keygen -l` prints it. */
  fingerprint: string;
}

/**
 * The host key of SFTP: the file `sftp_host_key` in `folder` (DATA_DIR), made at the first start and readable by its owner
 * only; all planes of a machine share it. Throws when the file is not a key: clients would warn of another one.
 */
export function openHostKey(folder: string): HostKey {
  const text = readOrMakeSecret(
    folder,
    'sftp_host_key',
    () => ssh2.utils.generateKeyPairSync('ed25519', { comment: 'cairn' }).private,
  );
  const key = ssh2.utils.parseKey(text);
  if (key instanceof Error || !key.isPrivateKey())
    throw new Error(`${folder}/sftp_host_key is not a private key: restore it from a backup.`);
  return { private_key: text, fingerprint: fingerprintOf(key.getPublicSSH()) };
}
