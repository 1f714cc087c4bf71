import { badRequest, ErrorReply, type Json, type JsonObject, objectOf, onlyEntry } from './errors.ts';
import { FakeIndex } from './index-data.ts';

const missing = (name: string): ErrorReply =>
  new ErrorReply(404, 'index_not_found_exception', `no such index [${name}]`);
const indexName = /^[a-z0-9][a-z0-9._-]*$/;

/** The indices of the fake server by name, and their aliases. */
export class IndexStore {
  readonly indices = new Map<string, FakeIndex>();
  readonly aliases = new Map<string, string>();

  at(name: string, require_alias = false): FakeIndex {
    const alias = this.aliases.get(name);
    const index = this.indices.get(alias ?? name);
    if (!index || (require_alias && !alias)) throw missing(name);
    return index;
  }

  create(name: string, json: JsonObject): void {
    if (!indexName.test(name) || this.indices.has(name) || this.aliases.has(name))
      throw new ErrorReply(400, 'resource_already_exists_exception', `index [${name}] cannot be made`);
    this.indices.set(name, new FakeIndex(name, json));
  }

  delete(name: string): void {
    if (!this.indices.delete(name)) throw missing(name);
    for (const [alias, index] of this.aliases) if (index === name) this.aliases.delete(alias);
  }

  /** Applies all alias actions or none, like the server. */
  change(actions: Json | undefined): void {
    if (!Array.isArray(actions)) throw badRequest('actions must be an array');
    for (const action of actions) {
      const [kind, json] = onlyEntry(action, 'action');
      const { index, alias } = objectOf(json, kind, kind === 'add' ? ['index', 'alias'] : ['index']);
      if (!this.indices.has(String(index))) throw missing(String(index));
      if (kind === 'remove_index') this.delete(String(index));
      else if (kind === 'add') this.aliases.set(String(alias), String(index));
      else throw badRequest(`unknown action [${kind}]`);
    }
  }

  aliasesOf(pattern: string): JsonObject {
    const begin = pattern.replace(/\*$/, '');
    const matching = [...this.indices.keys()].filter((name) =>
      begin === pattern ? name === pattern : name.startsWith(begin),
    );
    return Object.fromEntries(
      matching.map((name) => {
        const aliases_of_index = [...this.aliases].filter(([, index]) => index === name);
        return [name, { aliases: Object.fromEntries(aliases_of_index.map(([alias]) => [alias, {}])) }];
      }),
    );
  }
}
