import { badRequest, type Json, type JsonObject, objectOf } from './errors.ts';

export interface Field {
  type: 'keyword' | 'long';
  indexed: boolean;
  docValues: boolean;
  ignoreAbove: number;
  /** Path of the nested objects that contain the field; '' is the document itself. */
  nested: string;
}

/** A mapping and the documents it accepts. Supports only what our mappings use, and rejects anything else. */
export class FakeMapping {
  readonly fields = new Map<string, Field>();
  readonly nested = new Set<string>();
  readonly #objects = new Set<string>(['']);
  readonly #opaque = new Set<string>();
  readonly #nestedLimit: number;
  readonly json: JsonObject;

  constructor(json: JsonObject, nestedLimit: number) {
    this.json = objectOf(json, 'mappings', ['dynamic', '_meta', 'properties']);
    if (json.dynamic !== 'strict') throw badRequest('the stand-in wants strict mappings');
    this.#nestedLimit = nestedLimit;
    this.#add(objectOf(json.properties, 'properties', null), '', '');
  }

  #add(properties: JsonObject, path: string, nested: string): void {
    for (const [name, property] of Object.entries(properties))
      this.#addOne(`${path}${name}`, property, nested);
  }

  #addOne(path: string, json: Json, nested: string): void {
    const { type = 'object' } = objectOf(json, path, null);
    if (type === 'keyword' || type === 'long') {
      const allowed = ['type', 'index', 'doc_values', ...(type === 'keyword' ? ['ignore_above'] : [])];
      const { index = true, doc_values = true, ignore_above } = objectOf(json, path, allowed);
      this.fields.set(path, {
        ...{ type, nested, indexed: index === true, docValues: doc_values === true },
        ignoreAbove: typeof ignore_above === 'number' ? ignore_above : Number.POSITIVE_INFINITY,
      });
    } else if (type === 'object' || type === 'nested') {
      const { properties = {}, enabled = true } = objectOf(json, path, ['type', 'properties', 'enabled']);
      if (type === 'nested') this.nested.add(path);
      if (enabled === false) this.#opaque.add(path);
      this.#objects.add(path);
      this.#add(objectOf(properties, path, null), `${path}.`, type === 'nested' ? path : nested);
    } else throw badRequest(`No handler for type [${String(type)}] declared on field [${path}]`);
  }

  /** Rejects a document with unmapped fields or wrong types. */
  check(source: Json, path = ''): void {
    for (const [name, value] of Object.entries(objectOf(source, path || 'document', null)))
      this.#checkOne(path === '' ? name : `${path}.${name}`, value);
  }

  #checkOne(path: string, value: Json): void {
    if (this.#opaque.has(path)) {
      objectOf(value, path, null);
    } else if (this.#objects.has(path)) {
      const parts = Array.isArray(value) ? value : [value];
      if (parts.length > 1 && !this.nested.has(path))
        throw badRequest(`${path}: the stand-in wants one object`);
      if (parts.length > this.#nestedLimit)
        throw badRequest(`more than ${this.#nestedLimit} nested documents`);
      for (const part of parts) this.check(part, path);
    } else {
      const field = this.fields.get(path);
      if (!field) throw badRequest(`strict_dynamic_mapping_exception: [${path}] is not allowed`);
      for (const one of Array.isArray(value) ? value : [value]) checkValue(path, field, one);
    }
  }
}

const max_term = 32_766;

function checkValue(path: string, { type, indexed, ignoreAbove }: Field, value: Json): void {
  if (value === null) return;
  if (type === 'long' && !Number.isSafeInteger(value)) throw badRequest(`${path}: no whole number`);
  if (type !== 'keyword') return;
  if (typeof value !== 'string') throw badRequest(`${path}: no text`);
  if (!value.isWellFormed()) throw badRequest(`${path}: no Unicode text`);
  if (indexed && value.length <= ignoreAbove && Buffer.byteLength(value) > max_term)
    throw badRequest(`${path}: immense term`);
}
