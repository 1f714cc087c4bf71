import type { Schema, Schemas } from './json-schema.ts';

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema?: Schema;
}

/** One operation of an OpenAPI document. */
export interface Operation {
  /** As `PATCH /v3/project/{id}`. */
  name: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** Its body's type and shape; null when it takes none. */
  body: { type: string; schema: Schema } | null;
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema?: Schema }> } }
    >
  >;
  components?: { schemas?: Record<string, Schema> };
}

/** Every operation of a document served below `prefix`, with the schemas that it refers to. */
export function operationsOf(
  { paths, components }: Document,
  prefix: string,
): { operations: Operation[]; schemas: Schemas } {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]): Operation => {
      const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      return {
        name: `${method.toUpperCase()} ${prefix}${path}`,
        method: method.toUpperCase(),
        path: `${prefix}${path}`,
        parameters,
        body: type ? { type, schema: content?.schema ?? {} } : null,
      };
    }),
  );
  const schemas = Object.entries(components?.schemas ?? {}).map(([name, schema]) => [
    `#/components/schemas/${name}`,
    schema,
  ]);
  return { operations, schemas: Object.fromEntries(schemas) };
}
