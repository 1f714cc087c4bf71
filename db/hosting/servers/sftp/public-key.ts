import { createHash } from 'node:crypto';
import { Refused } from '../../../platform/errors.ts';

/** A public key as it is stored. */
export interface PublicKey {
  /** `type base64`, as in authorized_keys. */
  public_key: string;
  fingerprint: string;
}

/** Longest line that is looked at: a key of 16,384 bits takes 2,800 bytes. */
const max_line = 8_000;
const least_rsa_bits = 2048;
const curves = ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'];

/**
 * Reads a public key as `ssh-keygen` writes it, with or without a comment. Refuses `sftp_key_private` and
 * `sftp_key_invalid`, which says what is wrong. Source: RFC 4253 §6.6; RFC 5656 §3.1; RFC 8709 §4.
 */
export function parsePublicKey(text: string): PublicKey {
  const line = text.trim();
  if (/PRIVATE KEY|^PuTTY-User-Key-File/.test(line)) throw new Refused('sftp_key_private');
  const [type = '', body = ''] = line.length <= max_line ? line.split(/\s+/, 2) : [];
  const blob = Buffer.from(body, 'base64');
  const problem = whyNotKey(type, body, blob);
  if (problem) throw new Refused('sftp_key_invalid', { problem });
  return { public_key: `${type} ${blob.toString('base64')}`, fingerprint: fingerprintOf(blob) };
}

/** The fingerprint of the bytes of a public key, as `ssh-keygen -l` prints it. */
export const fingerprintOf = (blob: Buffer): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replaceAll('=', '')}`;

function whyNotKey(type: string, body: string, blob: Buffer): string | null {
  if (type === 'ssh-dss') return 'DSA is too weak, use ssh-ed25519';
  if (type !== 'ssh-ed25519' && type !== 'ssh-rsa' && !curves.includes(type))
    return `it must begin with ssh-ed25519, ssh-rsa or ${curves.join(', ')}`;
  const parts = partsOf(blob);
  if (!/^[\w+/]+=*$/.test(body) || parts?.[0]?.toString('latin1') !== type) return 'it is cut off or damaged';
  const [, second, third] = parts;
  if (type === 'ssh-ed25519')
    return parts.length === 2 && second?.length === 32 ? null : 'it is cut off or damaged';
  if (type !== 'ssh-rsa') return parts.length === 3 ? null : 'it is cut off or damaged';
  if (parts.length !== 3 || !third?.length) return 'it is cut off or damaged';
  const bits = BigInt(`0x${third.toString('hex')}`).toString(2).length;
  return bits < least_rsa_bits ? `RSA keys need at least ${least_rsa_bits} bits, this one has ${bits}` : null;
}

/** The strings that a key consists of, each after its length; null when they do not fill it. */
function partsOf(blob: Buffer): Buffer[] | null {
  const parts: Buffer[] = [];
  for (let at = 0; at < blob.length; ) {
    if (at + 4 > blob.length || parts.length === 4) return null;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return null;
    parts.push(blob.subarray(at + 4, end));
    at = end;
  }
  return parts.length > 0 ? parts : null;
}
