import { z } from 'zod';
import { Refused } from '../../../../platform/errors.ts';

/** No answer of PayPal is larger: a page of 500 transactions has 400 KB. */
const max_bytes = 2 * 1024 * 1024;
/** A token is renewed so long before it expires. */
const margin_ms = 60_000;

/** PayPal was not reached, gave no answer in time, or one that makes no sense: nobody knows what happened. */
export class NoAnswer extends Error {}

interface PaypalAnswer {
  status: number;
  /** Parsed JSON; an empty body is null. */
  body: unknown;
}

/** Requests to PayPal with the token of this account. */
export interface PaypalHttp {
  /** Sends a request; 429 and 5xx are no answers, all others are. Throws `NoAnswer`. */
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<PaypalAnswer>;
  /** Whether PayPal knows the keys. Refuses `payouts_unreachable`. */
  check(): Promise<void>;
  /** Fetches a text that needs no token, such as a certificate. Throws `NoAnswer`. */
  fetchText(address: string): Promise<string>;
}

const token = z.object({ access_token: z.string().min(1).max(4096), expires_in: z.number().min(0) });

/**
 * PayPal by its documented HTTP: its own library for payouts is no longer maintained. Tokens are kept until shortly before
 * they expire; one that PayPal takes back is replaced once.
 */
export function paypalHttp(
  { client_id, secret, address }: { client_id: string; secret: string; address: string },
  timeout: number,
): PaypalHttp {
  let kept: { access: Promise<string>; until: number } | null = null;

  async function send(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
    try {
      const signal = AbortSignal.timeout(timeout);
      const answer = await fetch(url, { ...init, signal, redirect: 'error' });
      return { status: answer.status, text: await boundedText(answer) };
    } catch (error) {
      throw new NoAnswer('PayPal gave no answer.', { cause: error });
    }
  }

  async function authorize(): Promise<string> {
    const { status, text } = await send(`${address}/v1/oauth2/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const parsed = token.safeParse(status === 200 ? jsonOf(text) : null);
    if (!parsed.success) throw new NoAnswer(`PayPal gave no token: it answered ${status}.`);
    kept!.until = performance.now() + parsed.data.expires_in * 1000 - margin_ms;
    return parsed.data.access_token;
  }

  async function access(): Promise<string> {
    if (!kept || kept.until < performance.now()) {
      const mine = { access: Promise.resolve(''), until: Number.POSITIVE_INFINITY };
      kept = mine;
      mine.access = authorize();
      mine.access.catch(() => {
        if (kept === mine) kept = null;
      });
    }
    return await kept.access;
  }

  async function once(method: string, path: string, body: object | undefined): Promise<PaypalAnswer> {
    const { status, text } = await send(`${address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await access()}`,
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (status === 429 || status >= 500) throw new NoAnswer(`PayPal answered ${status}.`);
    return { status, body: text === '' ? null : jsonOf(text) };
  }

  return {
    async call(method, path, body) {
      const first = await once(method, path, body);
      if (first.status !== 401) return first;
      kept = null;
      return await once(method, path, body);
    },
    async check() {
      await access().catch((error: unknown) => Promise.reject(unreachable(error)));
    },
    async fetchText(url) {
      const { status, text } = await send(url, {});
      if (status !== 200) throw new NoAnswer(`PayPal answered ${status}.`);
      return text;
    },
  };
}

/** The refusal for people in place of an answer that did not come, with that as its cause for the log. */
export function unreachable(error: unknown): unknown {
  if (!(error instanceof NoAnswer)) return error;
  const refused = new Refused('payouts_unreachable');
  refused.cause = error;
  return refused;
}

async function boundedText(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.byteLength;
    if (bytes > max_bytes) throw new Error('The answer is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NoAnswer('PayPal did not answer with JSON.');
  }
}
