/** The parts of our OpenAPI documents that the reference shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  example?: unknown;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export interface DocumentParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

export interface DocumentOperation {
  operationId: string;
  summary: string;
  tags: string[];
  security: ReadonlyArray<{ token?: string[] }>;
  parameters?: DocumentParameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content; 'x-refusals'?: string[] }>;
}

export interface ApiDocument {
  paths: Record<string, Record<string, DocumentOperation>>;
  components: { schemas: Record<string, Schema> };
}

/** The shapes of a document by their names. */
export type Shapes = Readonly<Record<string, Schema>>;

/** The name of the shape that a schema refers to. */
export const refName = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

/** The schema itself, also where it only names a shape. */
export function resolved(schema: Schema, shapes: Shapes): Schema {
  const name = refName(schema);
  return name === undefined ? schema : (shapes[name] ?? {});
}
