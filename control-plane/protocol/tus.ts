import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refused } from '#db/platform/errors.ts';
import { max_upload_request_bytes } from '#db/platform/http-limits.ts';

/**
 * Uploads by the tus protocol 1.0 (core, termination), the same at the site and at the port of an agent. Source: tus.
 */

const version = '1.0.0';
export const tusMethods = ['OPTIONS', 'HEAD', 'PATCH', 'DELETE'];

/** What is asked of an upload; null when OPTIONS was answered. Refuses `upload_method_unknown` and `upload_protocol`. */
export function admitTus(req: IncomingMessage, res: ServerResponse): 'HEAD' | 'PATCH' | 'DELETE' | null {
  res.setHeader('tus-resumable', version);
  res.setHeader('cache-control', 'no-store');
  const { method } = req;
  if (method === 'OPTIONS') {
    const offered = { 'tus-version': version, 'tus-extension': 'termination', allow: tusMethods.join(', ') };
    res.writeHead(204, offered).end();
    return null;
  }
  if (method !== 'HEAD' && method !== 'PATCH' && method !== 'DELETE') {
    res.setHeader('allow', tusMethods.join(', '));
    throw new Refused('upload_method_unknown');
  }
  if (req.headers['tus-resumable'] !== version) {
    res.setHeader('tus-version', version);
    throw new Refused('upload_protocol', { version });
  }
  return method;
}

/** The offset of a PATCH. Refuses `upload_request_invalid` and `body_too_large` before its body is read. */
export function tusOffset({ headers }: IncomingMessage): number {
  const text = headers['upload-offset'];
  if (headers['content-type'] !== 'application/offset+octet-stream' || !/^\d{1,15}$/.test(String(text)))
    throw new Refused('upload_request_invalid');
  if (Number(headers['content-length'] ?? 0) > max_upload_request_bytes) throw bodyTooLarge();
  return Number(text);
}

export const bodyTooLarge = (): Refused =>
  new Refused('body_too_large', { limit_bytes: max_upload_request_bytes });
