import ts from 'typescript';
import { type ActionReader, actionName } from './actions.ts';
import type { ModuleReader } from './module-reader.ts';

/** A way to actions: a route of the API, a form of our pages, a message of a panel, or a command. */
export interface EntryPoint {
  /** `api`, `form`, `panel` or `command`. */
  kind: 'api' | 'form' | 'panel' | 'command';
  /** As `PATCH /team/{id}/members/{user}`, `form /_internal/team/edit`, `panel people.invite`. */
  name: string;
  /** What of a token it demands, as it is written; null where the action does it. */
  needs: string | null;
  actions: string[];
}

const kinds: Array<[folder: RegExp, kind: 'api' | 'panel' | 'command']> = [
  [/^site\/(?!testing\/)/, 'api'],
  [/^control-plane\/(panel|admin|protocol)\//, 'panel'],
  [/^bin\/cairn\//, 'command'],
];

/** Every entry point that leads to an action, in the order of their names. */
export function entryPoints(modules: ModuleReader, actions: ActionReader): EntryPoint[] {
  const found: EntryPoint[] = [];
  for (const path of modules.tree.paths) {
    const kind = kinds.find(([folder]) => folder.test(path))?.[1];
    if (!kind || /\.test\.ts$|\/testing\//.test(path)) continue;
    const add = (one: Omit<EntryPoint, 'actions'>, node: ts.Node) => {
      const reached = [...new Set(actions.reached(path, node).map(actionName))].sort();
      if (reached.length > 0) found.push({ ...one, actions: reached });
    };
    if (kind === 'command') add({ kind, name: path, needs: null }, modules.file(path));
    else visitEntries(modules, path, kind, add);
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

type Add = (one: Omit<EntryPoint, 'actions'>, node: ts.Node) => void;

function visitEntries(modules: ModuleReader, path: string, kind: 'api' | 'panel', add: Add): void {
  const visit = (node: ts.Node): void => {
    if (kind === 'api' && ts.isCallExpression(node)) {
      const one = routeOf(modules, path, node);
      if (one) add(one, node);
    }
    if (kind === 'panel' && ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name))
      if (/^[a-z_]+\.[a-z_]+$/.test(node.name.text))
        add({ kind, name: `panel ${node.name.text}`, needs: staffScope(node) }, node);
    node.forEachChild(visit);
  };
  visit(modules.file(path));
}

/** The scope that a message of staff demands before it does anything. */
const staffScope = (node: ts.Node): string | null =>
  /asStaff\([^)]*('[A-Z_]+')\)/.exec(node.getText())?.[1] ?? null;

/** A call that declares a route of the API or a form: it has an object with its demands and its work. */
function routeOf(
  modules: ModuleReader,
  path: string,
  call: ts.CallExpression,
): Omit<EntryPoint, 'actions'> | null {
  const text = call.expression.getText();
  const options = call.arguments.find((one) => ts.isObjectLiteralExpression(one));
  if (!options || !/Route$|Form$/.test(text)) return null;
  const needs = demandsOf(modules, path, options);
  if (/form/i.test(text)) {
    const [, form] = call.arguments;
    return {
      kind: 'form',
      name: `form ${actionOf(modules, path, form) ?? `${path} ${form?.getText()}`}`,
      needs,
    };
  }
  const [method, route] = [fieldOf(options, 'method'), fieldOf(options, 'path')];
  if (!route) return null;
  const name = `${(method ?? 'post').replaceAll("'", '').toUpperCase()} ${route.replace(/^['`]|['`]$/g, '')}`;
  return { kind: 'api', name: path.includes('/internal/') ? `${name} (internal)` : name, needs };
}

/** The demands of a route as they are written, also where a constant of the file holds them. */
function demandsOf(modules: ModuleReader, path: string, options: ts.ObjectLiteralExpression): string | null {
  const text = fieldOf(options, 'needs');
  const [, name] = /^(?:\[\.\.\.)?(\w+)\]?$/.exec(text ?? '') ?? [];
  if (text && !name) return text.replaceAll(' as const', '');
  const spread = options.properties.flatMap((one) =>
    ts.isSpreadAssignment(one) && ts.isIdentifier(one.expression) ? [one.expression.text] : [],
  );
  for (const constant of name ? [name] : spread) {
    const value = modules.constantIn(path, constant);
    const held = name ? value : value && ts.isObjectLiteralExpression(value) ? fieldOf(value, 'needs') : null;
    const found = typeof held === 'string' ? held : (held?.getText() ?? null);
    if (found) return found.replaceAll(' as const', '');
  }
  return text;
}

/** The text of a field of an object literal, or of one that is spread into it. */
function fieldOf(options: ts.ObjectLiteralExpression, name: string): string | null {
  for (const one of options.properties) {
    if (ts.isPropertyAssignment(one) && one.name.getText() === name) return one.initializer.getText();
    if (ts.isShorthandPropertyAssignment(one) && one.name.text === name) return name;
    if (ts.isSpreadAssignment(one) && ts.isObjectLiteralExpression(one.expression)) {
      const spread = fieldOf(one.expression, name);
      if (spread) return spread;
    }
  }
  return null;
}

/** The address of a form, where it is defined by a constant. */
function actionOf(modules: ModuleReader, path: string, form: ts.Expression | undefined): string | null {
  const at = form && ts.isIdentifier(form) ? modules.find(path, form.text) : null;
  return at ? (/action: ['`]([^'`]+)['`]/.exec(at.node.getText())?.[1] ?? null) : null;
}
