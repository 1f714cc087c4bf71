import type { DocumentParameter, Schema } from './document.ts';
import type { Operation, Variant } from './operations.ts';
import { sample } from './sample.ts';

/** A request as an example shows it. */
export interface ExampleRequest {
  method: string;
  /** Path and query, encoded. */
  path: string;
  needs_token: boolean;
  /** Headers without which it is refused. */
  headers: ReadonlyArray<readonly [name: string, value: string]>;
  body: { type: string; value: unknown } | null;
}

const encoded = (value: unknown): string =>
  encodeURIComponent(String(value)).replaceAll('%2C', ',').replaceAll('%3A', ':');

/** The value of a parameter in examples. */
export const exampleValue = ({ example, schema }: DocumentParameter): string =>
  String(example ?? schema.enum?.[0] ?? schema.example ?? 'AABBCCDD');

/** Parameters that an example has: those that must be there, and those that show how something is written. */
const isShown = ({ required, example }: DocumentParameter): boolean =>
  Boolean(required) || example !== undefined;

/** The example of an operation in its newest version. */
export function exampleRequest(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  variant: Variant,
): ExampleRequest {
  const { operation, versions, shapes } = variant;
  const parameters = operation.parameters ?? [];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return encoded(parameter ? exampleValue(parameter) : name);
  });
  const query = parameters
    .filter((one) => one.in === 'query' && isShown(one))
    .map((one) => `${one.name}=${encoded(exampleValue(one))}`)
    .join('&');
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return {
    method,
    path: `/v${versions.at(-1)}${filled}${query && `?${query}`}`,
    needs_token: needsToken(variant),
    headers: parameters
      .filter((one) => one.in === 'header' && one.required)
      .map((one) => [one.name, exampleValue(one)] as const),
    body: type && content ? { type, value: bodySample(content.schema, { shapes }) } : null,
  };
}

const bodySample = (schema: Schema, { shapes }: Pick<Variant, 'shapes'>): unknown =>
  sample(schema.properties?.data ?? schema, { shapes, essential: true });

/** Whether an operation answers nobody without a token. */
export const needsToken = ({ operation: { security } }: Variant): boolean =>
  security.every(({ token }) => token !== undefined);

const json = (value: unknown): string => JSON.stringify(value).replaceAll("'", "'\\''");

/** The request as a command line; `site` is the address of the site. */
export function curlText({ method, path, needs_token, headers, body }: ExampleRequest, site: string): string {
  const parts = [`curl -s '${site}${path}'`];
  if (method !== (body ? 'POST' : 'GET')) parts.push(`-X ${method}`);
  if (needs_token) parts.push('-H "Authorization: $CAIRN_TOKEN"');
  for (const [name, value] of headers) parts.push(`-H '${name}: ${value}'`);
  if (body?.type === 'application/json')
    parts.push("-H 'Content-Type: application/json'", `-d '${json(body.value)}'`);
  else if (body?.type === 'multipart/form-data')
    parts.push(`-F 'data=${json(body.value)};type=application/json'`, "-F 'file=@lanternroot-2.4.1.jar'");
  else if (body?.type === 'application/x-www-form-urlencoded')
    parts.push(...Object.entries(Object(body.value)).map(([name, value]) => `-d '${name}=${String(value)}'`));
  else if (body) parts.push(`-H 'Content-Type: ${body.type}'`, '--data-binary @picture.png');
  return parts.join(' \\\n  ');
}

/** The request in JavaScript for Node, Deno, Bun and browsers. */
export function scriptText(
  { method, path, needs_token, headers: own, body }: ExampleRequest,
  site: string,
): string {
  const isJson = body?.type === 'application/json';
  const headers = [
    needs_token ? '    authorization: token,' : '',
    ...own.map(([name, value]) => `    '${name.toLowerCase()}': '${value}',`),
    isJson ? "    'content-type': 'application/json'," : '',
    body && /^image\//.test(body.type) ? `    'content-type': '${body.type}',` : '',
  ].filter(Boolean);
  const options = [
    method === 'GET' ? '' : `  method: '${method}',`,
    headers.length > 0 ? `  headers: {\n${headers.join('\n')}\n  },` : '',
    body ? `  body: ${scriptBody(body)},` : '',
  ].filter(Boolean);
  const before = body?.type === 'multipart/form-data' ? formLines(body.value) : '';
  const given = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  return `${before}const answer = await fetch('${site}${path}'${given});
if (!answer.ok) throw new Error(\`\${answer.status}: \${await answer.text()}\`);`;
}

const formLines = (value: unknown): string => `const form = new FormData();
form.append('data', JSON.stringify(${JSON.stringify(value)}));
form.append('file', file, 'lanternroot-2.4.1.jar'); // a File or Blob
`;

function scriptBody({ type, value }: { type: string; value: unknown }): string {
  if (type === 'application/json') return `JSON.stringify(${JSON.stringify(value)})`;
  if (type === 'multipart/form-data') return 'form';
  if (type === 'application/x-www-form-urlencoded') return `new URLSearchParams(${JSON.stringify(value)})`;
  return 'picture';
}
