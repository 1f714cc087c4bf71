import { type RefObject, useEffect, useRef } from 'react';
import type UPlot from 'uplot';

interface Drawing {
  data: UPlot.AlignedData;
  /** In pixels; the width is that of the box. */
  height: number;
  /** Everything else about the chart, when it is drawn anew; other options draw it anew too. */
  options(around: HTMLElement, library: typeof UPlot): Omit<UPlot.Options, 'width' | 'height'>;
}

/**
 * Draws a chart into `box` and follows its width, its data and the theme. The library is loaded when the first chart is
 * shown; without it the box stays empty.
 */
export function usePlot({ data, height, options }: Drawing): {
  box: RefObject<HTMLDivElement | null>;
  plot: RefObject<UPlot | null>;
} {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const newest = useRef(data);
  newest.current = data;

  useEffect(() => {
    // with other lines it is drawn anew below
    if (plot.current?.series.length === data.length) plot.current.setData(data);
  }, [data]);

  useEffect(() => {
    const around = box.current!;
    let isOver = false;
    const draw = async () => {
      const { default: Library } = await import('uplot');
      if (isOver) return;
      plot.current?.destroy();
      const size = { width: around.clientWidth, height };
      plot.current = new Library({ ...size, ...options(around, Library) }, newest.current, around);
    };
    void draw().catch(() => {}); // offline: the numbers are there
    const resize = new ResizeObserver(() => plot.current?.setSize({ width: around.clientWidth, height }));
    resize.observe(around);
    const theme = new MutationObserver(() => void draw().catch(() => {}));
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      isOver = true;
      resize.disconnect();
      theme.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [height, options]);

  return { box, plot };
}

/** The colors and the type of an axis, from the tokens of the theme. */
export function axisStyle(around: HTMLElement): { color(name: string): string; axis: UPlot.Axis } {
  const style = getComputedStyle(around);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    color,
    axis: {
      stroke: color('--ink-3'),
      grid: { stroke: color('--line'), width: 1 },
      ticks: { show: false },
      font: `12px ${style.fontFamily}`,
    },
  };
}
