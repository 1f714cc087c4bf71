import type { TestApi } from './api.ts';
import type { Caller, Values, World } from './refusal-world.ts';

/**
 * One request of refusals.json with its recorded answer. In every text `{name}` is replaced by a fixture value and
 * `{x*70000}` by a repeated character; a text beginning with `latin1:` is sent as those bytes.
 */
export interface Refusal {
  method: string;
  path: string;
  caller: Caller;
  headers?: Record<string, string>;
  /** A JSON body. */
  json?: unknown;
  /** A raw body. */
  text?: string;
  /** The parts of a form: name, content, file name. */
  form?: Array<[name: string, content: string, filename?: string]>;
  /** Status, error and code (or the redirect of a form), as `400 request_error invalid_input`. */
  answer?: string;
}

/** Sends the request from its own address, so that no limit by network is reached. Gives a summary of the answer. */
export async function send(api: TestApi, world: World, refusal: Refusal, position: number): Promise<string> {
  const { method, caller, headers = {}, json, text, form } = refusal;
  const filled = (source: string) => fill(source, world.values);
  const body =
    json !== undefined
      ? filled(JSON.stringify(json))
      : form
        ? formOf(form, filled)
        : text !== undefined
          ? bytesOf(filled(text))
          : undefined;
  const answer = await api.call(method, filled(refusal.path), {
    headers: {
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...world.headersOf(caller, refusal.path),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
    },
    ...(body === undefined ? {} : { body: body as BodyInit }),
    address: `10.${position >> 16}.${(position >> 8) & 255}.${position & 255}`,
  });
  return await shortOf(answer);
}

const fill = (source: string, values: Values): string =>
  source
    .replace(/\{(.)\*(\d+)\}/gu, (_, char: string, count: string) => char.repeat(Number(count)))
    .replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

const bytesOf = (text: string): string | Uint8Array =>
  text.startsWith('latin1:') ? Buffer.from(text.slice(7), 'latin1') : text;

function formOf(parts: NonNullable<Refusal['form']>, filled: (source: string) => string): FormData {
  const form = new FormData();
  for (const [name, content, filename] of parts) {
    if (filename === undefined) form.append(name, filled(content));
    else form.append(name, new Blob([filled(content)]), filled(filename));
  }
  return form;
}

/** The stable part of an answer: the status, and the codes or the redirect; not the text. */
async function shortOf(answer: Response): Promise<string> {
  const text = await answer.text();
  if (answer.status >= 300 && answer.status < 400) {
    const error = /[?&]error=(\w+)/.exec(answer.headers.get('location') ?? '')?.[1];
    return `${answer.status} ${error ?? 'led on'}`;
  }
  if (text === '') return `${answer.status}`;
  const { error, details } = JSON.parse(text) as { error?: string; details?: { code?: string } };
  return [answer.status, error, details?.code].filter((part) => part !== undefined).join(' ');
}

/** Whether the answer is a refusal of a client's mistake, without any effect. */
export const isRefused = (answer: string): boolean => /^4|^303 (?!led on)|^501/.test(answer);
