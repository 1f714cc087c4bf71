import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { isDisjointWith, JS, NFA } from 'refa';
import { analyse } from 'scslre';

type Repeat = AST.Quantifier;

/**
 * Why a pattern may take more than linear time on some text; null for one that does not. `scslre` finds repeats that share a
 * single character. What it leaves out is found here: two repeats, or the begin of a search and one, with a word between that
 * both take, as in `<!--[\s\S]*?-->`, which reads the rest of a text full of `<!--` once for each of them. A repeat with a bound
 * counts as linear.
 */
export function superLinear(source: string, flags: string): string | null {
  const { reports } = analyse({ source, flags });
  if (reports[0]) return reasonOf(reports[0].type);
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const repeats = unboundedRepeats(pattern);
  for (const repeat of repeats.filter((one) => mayFail(after(one, pattern), one, flags))) {
    if (startsAgain(repeat, flags)) return reasonOf('Move');
    if (repeats.some((one) => one.end <= repeat.start && shareWords(one, repeat, flags)))
      return reasonOf('Trade');
  }
  return null;
}

const reasons = {
  Self: 'a repeat within a repeat can share a text in many ways',
  Trade: 'two repeats can share a text in many ways',
  Move: 'a search can begin at many places and read the rest of the text from each',
};
const reasonOf = (type: keyof typeof reasons): string => reasons[type];

/** Those that are looked at; what only looks ahead or back is left to `scslre`. */
function unboundedRepeats(pattern: AST.Pattern): Repeat[] {
  const found: Repeat[] = [];
  visitRegExpAST(pattern, {
    onQuantifierEnter(node) {
      if (node.max === Number.POSITIVE_INFINITY && !parents(node).some(({ type }) => type === 'Assertion'))
        found.push(node);
    },
  });
  return found;
}

function parents(node: AST.Node): AST.Node[] {
  const all: AST.Node[] = [];
  for (let at = node.parent; at; at = at.parent) all.push(at);
  return all;
}

/** The elements beside `node` and beside what it stands in, up to `within`; the outer ones last. */
function beside(node: AST.Node, within: AST.Node, side: 'before' | 'after'): AST.Element[][] {
  const found: AST.Element[][] = [];
  for (let at = node; at !== within && at.parent; at = at.parent) {
    if (at.parent.type !== 'Alternative') continue;
    const index = at.parent.elements.indexOf(at as AST.Element);
    found.push(side === 'before' ? at.parent.elements.slice(0, index) : at.parent.elements.slice(index + 1));
  }
  return found;
}
const after = (node: AST.Node, within: AST.Node): AST.Element[] => beside(node, within, 'after').flat();
const before = (node: AST.Node, within: AST.Node): AST.Element[] =>
  beside(node, within, 'before').reverse().flat();

/** Whether there are texts that what follows a repeat refuses. */
function mayFail(elements: readonly AST.Element[], repeat: Repeat, flags: string): boolean {
  const isMet = (element: AST.Element): boolean => {
    switch (element.type) {
      case 'Quantifier':
        return element.min === 0 || isMet(element.element);
      case 'Group':
      case 'CapturingGroup':
        return element.alternatives.some((one) => one.elements.every(isMet));
      default:
        return element.raw === '$' && reachesEnd(repeat, flags);
    }
  };
  return !elements.every(isMet);
}

/** Whether a repeat takes everything up to where `$` holds. */
const reachesEnd = ({ element: { raw } }: Repeat, flags: string): boolean =>
  ['[^]', '[\\s\\S]'].includes(raw) || (raw === '.' && flags.includes('s') !== flags.includes('m'));

/** Whether a repeat can hold what a search begins with before it comes to the repeat. */
function startsAgain(repeat: Repeat, flags: string): boolean {
  if (flags.includes('y')) return false;
  const start = before(repeat, patternOf(repeat));
  const isAnchored = start.some(({ type, raw }) => type === 'Assertion' && raw === '^');
  if (isAnchored && !flags.includes('m')) return false;
  const prefix = isAnchored ? `\\n${sourceOf(start)}` : sourceOf(start);
  // a repeat that is itself the start is judged by `scslre`, which knows what may stand before it
  if (isEmpty(prefix, flags)) return false;
  const isWord = start[0]?.raw === '\\b' ? [edge] : [];
  return haveCommonWord([prefix, starOf(repeat), ...isWord], flags);
}
/** Words that can follow each other with `\b` between. */
const edge = '(?:\\w[^]*\\W|\\W[^]*\\w)';

function shareWords(first: Repeat, second: Repeat, flags: string): boolean {
  const around = parents(second);
  const common = parents(first).find((one) => around.includes(one));
  // one of them or the other: both are never used for one text
  if (common?.type !== 'Alternative') return false;
  const [left, right] = [beside(first, common, 'after'), beside(second, common, 'before')];
  // the last of each are elements of the common alternative: what lies between the two is in both
  const between = left.at(-1)!.filter((one) => right.at(-1)!.includes(one));
  const middle = sourceOf([...left.slice(0, -1).flat(), ...between, ...right.slice(0, -1).reverse().flat()]);
  return haveCommonWord([middle, starOf(first), starOf(second)], flags);
}

const patternOf = (node: AST.Node): AST.Node => parents(node).at(-1)!;
const starOf = ({ element }: Repeat): string => `(?:${sourceOf([element])})*`;
/** Without references to groups, which stand for some text. */
const sourceOf = (elements: readonly AST.Element[]): string =>
  elements.map(({ raw }) => raw.replace(/\\(?:[1-9]|k<\w+>)/g, '[^]*').replace(/\(\?<\w+>/g, '(')).join('');

const languageOf = (source: string, flags: string): NFA => {
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source, flags }).parse({
    assertions: 'ignore',
  });
  return NFA.fromRegex(expression, { maxCharacter });
};
const isEmpty = (source: string, flags: string): boolean =>
  isDisjointWith(languageOf(source, flags), languageOf('[^]+', flags));

function haveCommonWord(sources: readonly string[], flags: string): boolean {
  const all = ['[^]+', ...sources].map((source) => languageOf(source, flags));
  return !isDisjointWith(
    all.slice(1).reduce((a, b) => NFA.fromIntersection(a, b)),
    all[0]!,
  );
}
