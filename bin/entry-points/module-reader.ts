import ts from 'typescript';
import { projectSources, type SourceTree } from '../architecture/source-tree.ts';

/** A function or constant at the top of a file, which others may name. */
export interface Declared {
  path: string;
  name: string;
  node: ts.Node;
}

interface Module {
  declared: Map<string, ts.Node>;
  /** Local name -> where it comes from. */
  imported: Map<string, { path: string; name: string }>;
}

/** Reads the files of the project without types: what they declare at the top, and what their names mean. */
export class ModuleReader {
  readonly tree: SourceTree = projectSources();
  readonly #files = new Map<string, ts.SourceFile>();
  readonly #modules = new Map<string, Module>();

  /** The syntax tree of a file. */
  file(path: string): ts.SourceFile {
    const known = this.#files.get(path);
    if (known) return known;
    const file = ts.createSourceFile(path, this.tree.text(path), ts.ScriptTarget.Latest, true);
    this.#files.set(path, file);
    return file;
  }

  /** What `name` means in the file `path`: a declaration of the project, or null. */
  find(path: string, name: string): Declared | null {
    const { declared, imported } = this.#module(path);
    const node = declared.get(name);
    if (node) return { path, name, node };
    const from = imported.get(name);
    return from && this.tree.has(from.path) ? this.find(from.path, from.name) : null;
  }

  /** The value of a constant anywhere in a file, the first with that name. */
  constantIn(path: string, name: string): ts.Expression | null {
    let found: ts.Expression | null = null;
    const visit = (node: ts.Node): void => {
      if (found) return;
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === name)
        found = bare(node.initializer);
      node.forEachChild(visit);
    };
    visit(this.file(path));
    return found;
  }

  #module(path: string): Module {
    const known = this.#modules.get(path);
    if (known) return known;
    const found: Module = { declared: new Map(), imported: new Map() };
    this.#modules.set(path, found);
    for (const one of this.file(path).statements) this.#read(one, path, found);
    return found;
  }

  #read(one: ts.Statement, path: string, found: Module): void {
    if (ts.isFunctionDeclaration(one) && one.name) found.declared.set(one.name.text, one);
    else if (ts.isVariableStatement(one)) {
      for (const { name, initializer } of one.declarationList.declarations)
        if (ts.isIdentifier(name) && initializer) found.declared.set(name.text, initializer);
    } else if (ts.isImportDeclaration(one) || ts.isExportDeclaration(one)) {
      const from = one.moduleSpecifier && ts.isStringLiteral(one.moduleSpecifier) && one.moduleSpecifier.text;
      const named = ts.isImportDeclaration(one) ? one.importClause?.namedBindings : one.exportClause;
      if (!from || !named || ts.isNamespaceImport(named) || ts.isNamespaceExport(named)) return;
      const to = this.tree.resolve(path, from);
      for (const { name, propertyName } of named.elements)
        found.imported.set(name.text, { path: to, name: (propertyName ?? name).text });
    }
  }
}

const bare = (one: ts.Expression | undefined): ts.Expression | null =>
  one && (ts.isAsExpression(one) || ts.isSatisfiesExpression(one)) ? bare(one.expression) : (one ?? null);
