import { relative } from 'node:path';
import ts from 'typescript';
import { refusals } from '#db/platform/errors.ts';
import { root } from '../install.mjs';

/** Where a call stands in a file, counted from 1 as in stack traces. */
export interface Place {
  path: string;
  line: number;
  column: number;
}

/** Folders whose functions are followed; what lies elsewhere refuses nothing. */
const followed = /^(db|site)\//;
/** Code that every route shares: what it refuses is documented once (`site/platform/route/refusals.ts`). */
const shared = /^site\/platform\/route\/|^db\/platform\/(errors|postgres\/(to-refused|guarded-pool))\.ts$/;

/**
 * Reads which refusals the code below a call can throw: every refusal code that stands in a function, constant or method
 * reached from it by name, as the type checker resolves names. Gives more than happens where a function serves several
 * routes, never less, except for what an interface hides.
 */
export function codeReader(): (calls: readonly Place[]) => string[] {
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [], files: ['site/api/app.ts'] },
    ts.sys,
    root,
  );
  const program = ts.createProgram([`${root}/site/api/app.ts`], options);
  const checker = program.getTypeChecker();
  const direct = new Map<ts.Node, { codes: Set<string>; next: Set<ts.Node> }>();

  function declarationsOf(node: ts.Identifier): ts.Node[] {
    let symbol = checker.getSymbolAtLocation(node);
    if (symbol && ts.isShorthandPropertyAssignment(node.parent))
      symbol = checker.getShorthandAssignmentValueSymbol(node.parent);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    return (symbol?.declarations ?? []).filter((one) => {
      const path = relative(root, one.getSourceFile().fileName);
      return hasCode(one) && followed.test(path) && !shared.test(path);
    });
  }

  function read(node: ts.Node): { codes: Set<string>; next: Set<ts.Node> } {
    const known = direct.get(node);
    if (known) return known;
    const found = { codes: new Set<string>(), next: new Set<ts.Node>() };
    direct.set(node, found);
    const visit = (one: ts.Node): void => {
      if (ts.isTypeNode(one)) return;
      if (ts.isStringLiteral(one) && one.text in refusals && isCode(one)) found.codes.add(one.text);
      if (ts.isIdentifier(one) && !isQuestion(one))
        for (const next of declarationsOf(one)) found.next.add(next);
      one.forEachChild(visit);
    };
    visit(node);
    return found;
  }

  /** Whether a text is used as a refusal code, by what its place expects. */
  function isCode(literal: ts.StringLiteral): boolean {
    const expected = checker.getContextualType(literal);
    if (!expected) return false;
    const options = expected.isUnion() ? expected.types : [expected];
    return options.length > 100 || options.every((one) => isCodeType(one));
  }
  const isCodeType = (type: ts.Type): boolean =>
    type.isStringLiteral()
      ? type.value in refusals
      : (type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0;

  return (calls) => {
    const codes = new Set<string>();
    const seen = new Set<ts.Node>();
    const open: ts.Node[] = calls.flatMap(({ path, line, column }) => {
      const source = program.getSourceFile(path);
      if (!source) throw new Error(`${path} is not part of the API`);
      const call = callAt(source, source.getPositionOfLineAndCharacter(line - 1, column - 1));
      return [...call.arguments];
    });
    for (let node = open.pop(); node; node = open.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      const found = read(node);
      for (const code of found.codes) codes.add(code);
      open.push(...found.next);
    }
    return [...codes].sort();
  };
}

/** Whether it names a rule that is only asked: what the rule says is compared with null and not thrown. */
function isQuestion(name: ts.Identifier): boolean {
  const call = name.parent;
  if (!ts.isCallExpression(call) || call.expression !== name) return false;
  const { parent } = call;
  if (ts.isPrefixUnaryExpression(parent)) return true;
  return ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText());
}

/** Declarations that contain code of their own: no types, parameters, imports or fields of interfaces. */
const hasCode = (node: ts.Node): boolean =>
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isPropertyAssignment(node) ||
  ts.isShorthandPropertyAssignment(node) ||
  (ts.isVariableDeclaration(node) && node.initializer !== undefined);

function callAt(source: ts.SourceFile, position: number): ts.CallExpression {
  let found: ts.CallExpression | undefined;
  const visit = (node: ts.Node): void => {
    if (position < node.getStart(source) || position >= node.end) return;
    if (ts.isCallExpression(node) && nameStart(node, source) === position) found ??= node;
    node.forEachChild(visit);
  };
  visit(source);
  if (!found) throw new Error(`no call at ${source.fileName}:${position}`);
  return found;
}

/** Where a stack trace says that a call is: at its name. */
const nameStart = ({ expression }: ts.CallExpression, source: ts.SourceFile): number =>
  ts.isPropertyAccessExpression(expression) ? expression.name.getStart(source) : expression.getStart(source);
