import ts from 'typescript';
import type { SourceTree } from '../source-tree.ts';

interface FoundPattern {
  path: string;
  line: number;
  source: string;
  flags: string;
}

/** `new RegExp` of what is not a plain text. */
interface BuiltPattern {
  path: string;
  line: number;
  /** As it is written. */
  code: string;
}

const skipped = /^\s*(?:\*|\/\/|\/\*|import )/;
const literal =
  /(?:[([{,=:;!&|?+>]|^|\breturn|\b(?:of|case)) ?\/(?![/*>]|\s*\w+ [^/]*$).*(?:[*+]|,\}).*\/|\bRegExp\(/;
/** Whether a line may have a literal with a repeat without bound, or build a pattern. Files without one are not parsed. */
const isCandidate = (line: string): boolean => !skipped.test(line) && literal.test(line.trimStart());

/** The literals with a repeat, and the patterns built from texts, of some files. */
export function findPatterns(tree: SourceTree, paths: readonly string[]) {
  const literals: FoundPattern[] = [];
  const built: BuiltPattern[] = [];
  for (const path of paths)
    for (const { text, kind, line: first } of partsOf(path, tree.text(path))) {
      if (!text.split('\n').some(isCandidate)) continue;
      const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind);
      const lineOf = (node: ts.Node) => first + file.getLineAndCharacterOfPosition(node.getStart(file)).line;
      const visit = (node: ts.Node): void => {
        if (ts.isRegularExpressionLiteral(node))
          literals.push({ path, line: lineOf(node), ...literalOf(node.text) });
        if (isConstruction(node)) {
          const [source, flags] = node.arguments ?? [];
          if (source && ts.isStringLiteralLike(source))
            literals.push({ path, line: lineOf(node), source: source.text, flags: textOf(flags) });
          else built.push({ path, line: lineOf(node), code: node.getText(file) });
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
    }
  return { literals, built };
}

const isConstruction = (node: ts.Node): node is ts.NewExpression | ts.CallExpression =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'RegExp';

const textOf = (node: ts.Expression | undefined): string =>
  node && ts.isStringLiteralLike(node) ? node.text : '';

function literalOf(text: string): { source: string; flags: string } {
  const end = text.lastIndexOf('/');
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

/** The parts of a file that TypeScript can read: of a page its head, its scripts, and the rest as markup with expressions. */
function partsOf(path: string, text: string): Array<{ text: string; kind: ts.ScriptKind; line: number }> {
  if (!path.endsWith('.astro'))
    return [{ text, kind: path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS, line: 1 }];
  const lineAt = (index: number): number => text.slice(0, index).split('\n').length;
  const head = text.startsWith('---\n') ? text.slice(4, text.indexOf('\n---', 4)) : '';
  const rest = text.slice(head.length);
  const scripts = [...rest.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)];
  return [
    { text: head, kind: ts.ScriptKind.TS, line: 2 },
    ...scripts.map((one) => ({
      text: one[1]!,
      kind: ts.ScriptKind.TS,
      line: lineAt(head.length + one.index),
    })),
    { text: `<>${rest}</>`, kind: ts.ScriptKind.TSX, line: lineAt(head.length) },
  ];
}
