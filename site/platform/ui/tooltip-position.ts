/** Pixels between a tooltip and its target. Source: specification §9. */
const distance = 5;
/** Pixels between a tooltip and the edge of the window. */
const margin = 4;

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * The top start corner of a tooltip of that size, in pixels of the window: centered above its target, below when there
 * is no room, never beyond the sides.
 */
export function tooltipPosition(
  about: Box,
  tip: Pick<Box, 'width' | 'height'>,
  window: Pick<Box, 'width' | 'height'>,
): { x: number; y: number } {
  const centred = about.left + (about.width - tip.width) / 2;
  const above = about.top - distance - tip.height;
  const x = Math.max(margin, Math.min(centred, window.width - margin - tip.width));
  const y = above >= margin ? above : about.top + about.height + distance;
  return { x: Math.round(x), y: Math.round(y) };
}
