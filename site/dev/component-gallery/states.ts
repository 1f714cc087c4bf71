/**
 * Simulates states that need a pointer or keyboard: `data-as="hover focus active"`. Each CSS rule for such a state is
 * copied for the attribute.
 */
const states = [
  [/:hover/g, '[data-as~="hover"]'],
  [/:focus-visible/g, '[data-as~="focus"]'],
  [/:active(?![-\w])/g, '[data-as~="active"]'],
] as const;

const twinOf = (selector: string): string =>
  states.reduce((text, [state, attribute]) => text.replace(state, attribute), selector);

function copyRules(into: CSSStyleSheet | CSSGroupingRule): void {
  for (let position = into.cssRules.length - 1; position >= 0; position--) {
    const rule = into.cssRules[position];
    if (rule instanceof CSSStyleRule) {
      const twin = twinOf(rule.selectorText);
      if (twin !== rule.selectorText) into.insertRule(`${twin} { ${rule.style.cssText} }`, position + 1);
    } else if (rule instanceof CSSGroupingRule) copyRules(rule);
  }
}

for (const sheet of document.styleSheets) copyRules(sheet);
