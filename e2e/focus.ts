import { expect, type Locator, type Page } from 'playwright/test';

/** Walks with the Tab key, as people without a pointer do. */
const most_stops = 150;

/**
 * Whether `target` has the focus, and what is wrong with the place where it is: null, or the element and why somebody
 * could not see it.
 */
function focusOf(target: Element): { is_there: boolean; trouble: string | null } {
  const element = document.activeElement;
  // of an editor in a shadow root the document names the host only
  let innermost = element;
  while (innermost?.shadowRoot?.activeElement) innermost = innermost.shadowRoot.activeElement;
  const is_there = innermost === target;
  // behind the last element the focus leaves the page once
  if (!element || element === document.body) return { is_there, trouble: null };
  const box = element.getBoundingClientRect();
  const text = element.outerHTML.slice(0, 160);
  if (box.bottom <= 0 || box.top >= innerHeight)
    return { is_there, trouble: `${text} is outside of the window` };
  // some controls are drawn by the label or box around them
  let around: Element | null = element;
  for (let level = 0; around && level < 4; level += 1, around = around.parentElement) {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(around);
    const has_outline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    if (has_outline || boxShadow !== 'none') return { is_there, trouble: null };
  }
  return { is_there, trouble: `${text} looks as it does without the focus` };
}

/**
 * Presses Tab until `target` has the focus. Every stop on the way must be visible and look focused; throws when 150 stops
 * do not lead there.
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop <= most_stops; stop += 1) {
    const { is_there, trouble } = await target.evaluate(focusOf);
    expect(trouble).toBeNull();
    if (is_there) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target}.`);
}
