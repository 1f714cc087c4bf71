import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** A passkey in software, for tests: it makes one key and answers as browsers do. */
export interface Authenticator {
  /** The answer to options of a registration. */
  register(options: { challenge: string }): RegistrationResponseJSON;
  /** The answer to options of a sign-in; `changes` spoils it. */
  answer(options: { challenge: string }, changes?: Changes): AuthenticationResponseJSON;
}
interface Changes {
  origin?: string;
  /** Whether it checked its owner. */
  verified?: boolean;
  counter?: number;
  /** Signs with another key. */
  forged?: boolean;
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();
const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

/** A passkey for `id` at `origin`. Its counter goes on by one with each answer, or stays 0 with `counts: false`. */
export function authenticator(id: string, origin: string, { counts = true } = {}): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credential_id = randomBytes(16);
  let counter = 0;
  const common = { id: text(credential_id), rawId: text(credential_id), type: 'public-key' as const };

  const clientData = (type: string, challenge: string, at: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }));
  const head = (flags: number, count: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(count);
    return Buffer.concat([sha256(id), Buffer.from([flags]), bytes]);
  };
  const present = 1;
  const checked = 4;
  const attested = 64;

  return {
    register({ challenge }) {
      const data = Buffer.concat([
        head(present | checked | attested, counter),
        Buffer.alloc(16),
        u16(credential_id.length),
        credential_id,
        coseKey(publicKey),
      ]);
      const object = Buffer.concat([
        ...[Buffer.from([0xa3]), cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])],
        ...[cborText('authData'), Buffer.from([0x59]), u16(data.length), data],
      ]);
      const client = clientData('webauthn.create', challenge, origin);
      const response = {
        clientDataJSON: text(client),
        attestationObject: text(object),
        transports: ['internal' as const],
      };
      return { ...common, clientExtensionResults: {}, response };
    },
    answer({ challenge }, { origin: at = origin, verified = true, counter: given, forged = false } = {}) {
      if (counts) counter += 1;
      const data = head(verified ? present | checked : present, given ?? counter);
      const client = clientData('webauthn.get', challenge, at);
      const key = forged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : privateKey;
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), key);
      const response = {
        clientDataJSON: text(client),
        authenticatorData: text(data),
        signature: text(signature),
      };
      return { ...common, clientExtensionResults: {}, response };
    },
  };
}

const cborText = (word: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);

/** An ES256 key as authenticators state it. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const bytes = (part: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(part, 'base64url')]);
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(x),
    Buffer.from([0x22]),
    bytes(y),
  ]);
}
