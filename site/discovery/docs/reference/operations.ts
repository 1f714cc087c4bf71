import type { ApiDocument, DocumentOperation, Schema, Shapes } from './document.ts';
import { refName, resolved } from './document.ts';
import { type Group, groups } from './groups.ts';

/** An operation as one or more versions of the API have it. */
export interface Variant {
  /** Ascending: `[2]`, `[3]` or `[2, 3]`. */
  versions: number[];
  operation: DocumentOperation;
  shapes: Shapes;
}

export interface Operation {
  /** Fragment on its page. */
  id: string;
  /** In capitals. */
  method: string;
  path: string;
  summary: string;
  /** One for all versions when they are alike. */
  variants: Variant[];
}

/** The documents by the number of their version. */
export type Documents = Readonly<Record<number, ApiDocument>>;

/** `searching` is a page of its own, though it belongs to projects. */
const tagOf = (path: string, { tags }: DocumentOperation): string =>
  path === '/search' ? 'search' : (tags[0] ?? '');

const order = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The operations of a page, by path and method; those that both versions have in the same way stand once. */
export function operationsOf(documents: Documents, { tags }: Group): Operation[] {
  const found = new Map<string, Operation>();
  for (const [version, { paths, components }] of Object.entries(documents))
    for (const [path, item] of Object.entries(paths))
      for (const [name, operation] of Object.entries(item)) {
        if (!tags.includes(tagOf(path, operation))) continue;
        const method = name.toUpperCase();
        const { summary, operationId: id } = operation;
        const known = found.get(`${method} ${path}`) ?? { id, method, path, summary, variants: [] };
        found.set(`${method} ${path}`, known);
        const { schemas: shapes } = components;
        const alike = known.variants.find((one) => fingerprint(one) === fingerprint({ operation, shapes }));
        if (alike) alike.versions.push(Number(version));
        else known.variants.push({ versions: [Number(version)], operation, shapes });
      }
  return [...found.values()].sort(
    (a, b) => compare(a.path, b.path) || order.indexOf(a.method) - order.indexOf(b.method),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Every page with its operations. */
export const allOperations = (documents: Documents): Array<Group & { operations: Operation[] }> =>
  groups.map((group) => ({ ...group, operations: operationsOf(documents, group) }));

/** What is the same for two variants that need no blocks of their own: everything but names. */
const fingerprint = ({ operation, shapes }: Pick<Variant, 'operation' | 'shapes'>): string => {
  const { parameters, requestBody, responses, security } = operation;
  const done = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return JSON.stringify([parameters, requestBody, done, security], (_, value: Schema | null) =>
    value && typeof value === 'object' && value.$ref ? resolved(value, shapes) : value,
  );
};

/** Names of the shapes that a page refers to, also through other shapes, by version, each name once. */
export function shapesOf(
  operations: readonly Operation[],
): Array<{ name: string; schema: Schema; shapes: Shapes }> {
  const found = new Map<string, { name: string; schema: Schema; shapes: Shapes }>();
  const visit = (value: unknown, shapes: Shapes): void => {
    if (!value || typeof value !== 'object') return;
    const name = refName(value as Schema);
    if (name && !found.has(name)) {
      const schema = shapes[name] ?? {};
      found.set(name, { name, schema, shapes });
      visit(schema, shapes);
    }
    for (const part of Object.values(value)) visit(part, shapes);
  };
  for (const { variants } of operations)
    for (const { operation, shapes } of variants) {
      visit(operation.requestBody, shapes);
      for (const [status, answer] of Object.entries(operation.responses))
        if (Number(status) < 400) visit(answer.content, shapes);
    }
  return [...found.values()].sort((a, b) => compare(a.name, b.name));
}
