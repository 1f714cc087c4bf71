import type { Visitor } from './visitor.ts';

/** An API request as scripts of our pages send it; gives its JSON, or null without one, and throws for a refusal. */
export async function call<T = null>(
  visitor: Visitor,
  method: string,
  path: string,
  json?: unknown,
): Promise<T> {
  const answer = await visitor.fetch(path, {
    method,
    ...(json !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return (text ? JSON.parse(text) : null) as T;
}
