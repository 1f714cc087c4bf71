import { computeAccessibleName } from 'dom-accessibility-api';
import { styleOf } from './shown.ts';

const texts = 'input:is(:not([type]), [type=text], [type=email], [type=tel], [type=url])';
/** Inside these, a header and a footer are those of a part of the page. */
const parts = ':is(article, aside, main, nav, section)';

/** The elements that have a role by their tag, of the roles that page tests ask for. */
const tags = {
  alert: '',
  article: 'article',
  banner: `header:not(${parts} header)`,
  button: 'button, input:is([type=submit], [type=button], [type=reset], [type=image])',
  cell: 'td',
  checkbox: 'input[type=checkbox]',
  columnheader: 'th:not([scope=row])',
  combobox: `select:not([multiple], [size]), ${texts}[list]`,
  complementary: 'aside',
  contentinfo: `footer:not(${parts} footer)`,
  definition: 'dd',
  dialog: 'dialog',
  form: 'form',
  group: 'details, fieldset, optgroup',
  heading: 'h1, h2, h3, h4, h5, h6',
  img: 'img:not([alt=""])',
  link: 'a[href], area[href]',
  list: 'ol, ul, menu',
  listbox: 'select:is([multiple], [size])',
  listitem: 'li',
  main: 'main',
  navigation: 'nav',
  option: 'option',
  progressbar: 'progress',
  radio: 'input[type=radio]',
  region: 'section',
  row: 'tr',
  rowheader: 'th[scope=row]',
  search: 'search',
  searchbox: 'input[type=search]',
  separator: 'hr',
  spinbutton: 'input[type=number]',
  status: 'output',
  switch: '',
  tab: '',
  table: 'table',
  term: 'dt',
  textbox: `textarea, ${texts}:not([list])`,
  time: 'time',
};

export type Role = keyof typeof tags;

/** Elements that have their role only with a name. */
const named = new Set<Role>(['form', 'region']);

/** The elements inside `root` with this role, in order, shown or not. */
export function withRole(root: ParentNode, role: Role): Element[] {
  const own = `[role="${role}"]`;
  const found = root.querySelectorAll(tags[role] === '' ? own : `${own}, ${tags[role]}`);
  return [...found].filter((element) => {
    const is_own = (element.getAttribute('role') ?? role) === role;
    return is_own && (!named.has(role) || accessibleName(element) !== '');
  });
}

/** The name by which assistive technology calls an element. */
export const accessibleName = (element: Element): string =>
  computeAccessibleName(element, {
    getComputedStyle: styleOf as never,
    computedStyleSupportsPseudoElements: false,
  });
