/** The parts of an OpenAPI 3.0 document that the tests read. */
export interface Schema {
  $ref?: string;
  allOf?: Schema[];
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  format?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  required?: string[];
  items?: Schema;
}

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface PublicDocument {
  paths: Record<string, Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>>>;
  components: { schemas: Record<string, Schema> };
}
