import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts what must be read back, such as the secret of an authenticator app. Its key lies outside the database. */
export interface Sealer {
  /** `text` encrypted; it can be opened only with the same `purpose`, such as `totp:USER_ID`. */
  seal(text: string, purpose: string): string;
  /** The text; null when it was changed, sealed for another purpose or with another key. */
  open(sealed: string, purpose: string): string | null;
}

const version = 'v1';
const iv_bytes = 12;
const tag_bytes = 16;

/** A sealer by AES-256-GCM with `key` of 32 bytes; the purpose is authenticated with the text. */
export function createSealer(key: Buffer): Sealer {
  return {
    seal(text, purpose) {
      const iv = randomBytes(iv_bytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
      const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${version}.${Buffer.concat([iv, cipher.getAuthTag(), bytes]).toString('base64url')}`;
    },
    open(sealed, purpose) {
      const [prefix, body = ''] = sealed.split('.');
      const bytes = Buffer.from(body, 'base64url');
      if (prefix !== version || bytes.length < iv_bytes + tag_bytes) return null;
      const iv = bytes.subarray(0, iv_bytes);
      const tag = bytes.subarray(iv_bytes, iv_bytes + tag_bytes);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tag_bytes });
        decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag);
        return Buffer.concat([
          decipher.update(bytes.subarray(iv_bytes + tag_bytes)),
          decipher.final(),
        ]).toString('utf8');
      } catch {
        return null; // not what was sealed
      }
    },
  };
}
