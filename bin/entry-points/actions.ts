import ts from 'typescript';
import type { Declared, ModuleReader } from './module-reader.ts';

/** A statement that changes something, in a query or of the job queue. */
const writing = /\b(insert into|update \$?\{?\w|delete from)\b|\b(recordEvent|enqueue)\(/;

/** An action: a function of `db/` that changes something on behalf of an actor, as `db/catalogue/members/write.ts editMember`. */
export const actionName = ({ path, name }: Declared): string => `${path} ${name}`;

/** Follows names from a node to what they mean. */
export class ActionReader {
  readonly #modules: ModuleReader;
  readonly #writes = new Map<ts.Node, boolean>();

  constructor(modules: ModuleReader) {
    this.#modules = modules;
  }

  /** Every declaration of the project that a node names. */
  named(path: string, node: ts.Node): Declared[] {
    const names = new Set<string>();
    const visit = (one: ts.Node): void => {
      if (ts.isTypeNode(one)) return;
      const isField = ts.isPropertyAccessExpression(one.parent) && one.parent.name === one;
      const isKey = ts.isPropertyAssignment(one.parent) && one.parent.name === one;
      if (ts.isIdentifier(one) && !isField && !isKey) names.add(one.text);
      one.forEachChild(visit);
    };
    node.forEachChild(visit);
    return [...names].flatMap((name) => this.#modules.find(path, name) ?? []);
  }

  /** Whether a function takes an actor and changes something, itself or by others of `db/`. */
  isAction(one: Declared): boolean {
    return one.path.startsWith('db/') && takesActor(one.node) && this.#isWriting(one);
  }

  #isWriting(one: Declared): boolean {
    const known = this.#writes.get(one.node);
    if (known !== undefined) return known;
    this.#writes.set(one.node, false); // a circle adds nothing
    const is =
      writing.test(one.node.getText()) ||
      this.named(one.path, one.node).some(
        (next) => next.path.startsWith('db/') && next.node !== one.node && this.#isWriting(next),
      );
    this.#writes.set(one.node, is);
    return is;
  }

  /** Whether a function names one of these, itself or by others of `db/`. */
  reaches(one: Declared, names: RegExp, seen = new Set<ts.Node>()): boolean {
    if (seen.has(one.node)) return false;
    seen.add(one.node);
    return (
      names.test(one.node.getText()) ||
      this.named(one.path, one.node).some(
        (next) => next.path.startsWith('db/') && this.reaches(next, names, seen),
      )
    );
  }

  /** The actions that a node leads to: the first ones on each way, through helpers outside of `db/`. */
  reached(path: string, node: ts.Node, seen = new Set<ts.Node>()): Declared[] {
    if (seen.has(node)) return [];
    seen.add(node);
    return this.named(path, node).flatMap((one) => {
      if (this.isAction(one)) return [one];
      return one.path.startsWith('db/') ? [] : this.reached(one.path, one.node, seen);
    });
  }
}

function takesActor(node: ts.Node): boolean {
  if (!ts.isFunctionDeclaration(node) && !ts.isArrowFunction(node)) return false;
  return node.parameters.some(({ type }) => /\bActor\b/.test(type?.getText() ?? ''));
}
