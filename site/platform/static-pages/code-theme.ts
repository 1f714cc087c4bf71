import { createCssVariablesTheme, type ShikiTransformer } from 'shiki';

/**
 * Code of articles and handbooks is highlighted by the build with classes (`code-keyword`, `code-string` ...), because
 * our content security policy and the themes of the site allow no colors in the text. Colors: `ui/css/code.css`.
 */
export const codeTheme = createCssVariablesTheme({ name: 'css-variables', variablePrefix: '--code-' });

const variable = /var\(--code-(?:token-)?([a-z-]+)\)/;

/** Replaces the inline styles of the theme by classes, and keeps what stands after the language as `data-meta`. */
export const codeClasses: ShikiTransformer = {
  name: 'cairn:code-classes',
  pre(node) {
    node.properties.style = undefined;
    node.properties.class = 'code';
    const meta = this.options.meta?.__raw;
    if (meta) node.properties['data-meta'] = meta;
  },
  span(node) {
    const kind = variable.exec(String(node.properties.style ?? ''))?.[1];
    node.properties.style = undefined;
    if (kind && kind !== 'foreground') node.properties.class = `code-${kind}`;
  },
};
