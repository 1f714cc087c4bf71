/** Pixels between a tooltip and what it is about. Source: specification §9. */
const distance = 5;
/** Pixels a tooltip stays away from the edge of the window. */
const margin = 4;

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Where the start corner of a tooltip of that size goes, in pixels of the window: centred above what it is about, below
 * when there is no room, never over the edge at the sides.
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
