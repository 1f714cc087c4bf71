import { compare, type VisibilityRule, visibilityRules } from './style-sheets.ts';

/** What a browser without scripts shows, by the elements' attributes and by the style sheets of the page. */

/** Never rendered. */
const without_box = new Set(['HEAD', 'SCRIPT', 'STYLE', 'TEMPLATE', 'TITLE', 'META', 'LINK', 'DATALIST']);

interface Style {
  display: string;
  visibility: string;
  content: string;
  getPropertyValue(name: string): string;
}

type Rules = Map<string, VisibilityRule[]>;
const rules = new WeakMap<Document, Rules>();
const styles = new WeakMap<Element, Style>();

/** Whether an element and everything around it is displayed. Its place and size are unknown. */
export function isShown(element: Element): boolean {
  if (styleOf(element).visibility === 'hidden') return false;
  for (let at: Element | null = element; at; at = at.parentElement)
    if (styleOf(at).display === 'none') return false;
  return true;
}

/** The text that is shown inside an element, with single spaces. */
export function textOf(element: Element): string {
  if (!isShown(element)) return '';
  return shownParts(element).join('').replace(/\s+/g, ' ').trim();
}

function shownParts(element: Element): string[] {
  return [...element.childNodes].flatMap((node) => {
    if (node.nodeType === 3) return [node.textContent ?? ''];
    if (node.nodeType !== 1) return [];
    const child = node as Element;
    const { display, visibility } = styleOf(child);
    if (display === 'none' || visibility === 'hidden') return [];
    const inner = shownParts(child);
    return display === 'inline' ? inner : [' ', ...inner, ' '];
  });
}

/** The computed values of `display` and `visibility`. */
export function styleOf(element: Element): Style {
  let style = styles.get(element);
  if (!style) {
    const declared = cascade(element);
    const display = isWithoutBox(element) ? 'none' : (declared.get('display') ?? displayOf(element));
    const parent = element.parentElement;
    const visibility = declared.get('visibility') ?? (parent ? styleOf(parent).visibility : 'visible');
    const values: Record<string, string> = { display, visibility };
    style = {
      ...{ display, visibility, content: '' },
      getPropertyValue: (name) => values[name] ?? '',
    };
    styles.set(element, style);
  }
  return style;
}

/** Forgets what was computed inside an element, after it was changed. */
export function restyle(element: Element): void {
  for (const inside of element.querySelectorAll('*')) styles.delete(inside);
}

function isWithoutBox(element: Element): boolean {
  if (without_box.has(element.tagName)) return true;
  if (element.tagName === 'INPUT' && element.getAttribute('type') === 'hidden') return true;
  const parent = element.parentElement;
  return parent?.tagName === 'DETAILS' && !parent.hasAttribute('open') && element.tagName !== 'SUMMARY';
}

const inline =
  /^(A|ABBR|B|BDI|BDO|CITE|CODE|DATA|DEL|DFN|EM|I|INS|KBD|LABEL|MARK|Q|S|SAMP|SMALL|SPAN|STRONG|SUB|SUP|TIME|U|VAR|WBR)$/;
/** What browsers display without a style sheet of the page. */
function displayOf(element: Element): string {
  const is_closed = element.tagName === 'DIALOG' && !element.hasAttribute('open');
  if (is_closed || element.hasAttribute('hidden') || element.hasAttribute('popover')) return 'none';
  return inline.test(element.tagName) ? 'inline' : 'block';
}

function cascade(element: Element): Map<string, string> {
  const strongest = new Map<string, VisibilityRule>();
  for (const rule of candidates(element)) {
    const before = strongest.get(rule.property);
    if (before && compare(before.weight, rule.weight) > 0) continue;
    if (fits(element, rule.selector)) strongest.set(rule.property, rule);
  }
  const declared = new Map([...strongest].map(([property, { value }]) => [property, value]));
  const own = element.getAttribute('style') ?? '';
  for (const [, property, value] of own.matchAll(/(?:^|;)\s*(display|visibility)\s*:\s*([\w-]+)/g))
    declared.set(property!, value!);
  return declared;
}

function* candidates(element: Element): Iterable<VisibilityRule> {
  const known = rulesIn(element.ownerDocument);
  const keys = [
    '*',
    element.tagName.toLowerCase(),
    ...[...element.attributes].map(({ name }) => `[${name}`),
    ...[...element.classList].map((name) => `.${name.toLowerCase()}`),
    ...(element.id ? [`#${element.id.toLowerCase()}`] : []),
  ];
  for (const key of keys) yield* known.get(key) ?? [];
}

function rulesIn(document: Document): Rules {
  let known = rules.get(document);
  if (!known) {
    known = new Map();
    const links = document.querySelectorAll('link[rel=stylesheet][href^="/_astro/"]');
    for (const [sheet, link] of [...links].entries())
      for (const rule of visibilityRules(link.getAttribute('href')!)) {
        const { key, weight } = rule;
        const placed = { ...rule, weight: [...weight.slice(0, 4), sheet, weight[4]!] };
        known.set(key, [...(known.get(key) ?? []), placed]);
      }
    rules.set(document, known);
  }
  return known;
}

/** What depends on the pointer, the focus or a part that no element is does not match. */
const of_moment = /::|:(hover|focus|active|target|popover-open|open|autofill|modal|fullscreen)\b/;

function fits(element: Element, selector: string): boolean {
  if (of_moment.test(selector)) return false;
  try {
    return element.matches(selector);
  } catch {
    return false; // a pseudo-class that only browsers know
  }
}
