import { type ReactNode, useEffect, useState } from 'react';
import { lateStyle } from './late-style.ts';

type Load<P> = () => Promise<(props: P) => ReactNode>;

/**
 * A component that is loaded when it is first shown, so that the page begins without it. One that cannot be loaded leaves
 * its place empty: `ui/scripts/reload.ts` does the rest.
 */
export const later = <P extends object>(
  load: Load<P>,
  waiting: ReactNode = null,
): ((props: P) => ReactNode) => placeOf(load, waiting);

/** The same with its style sheets: addresses of imports with `?url`. */
export const laterStyled = <P extends object>(
  styles: readonly string[],
  load: Load<P>,
  waiting: ReactNode = null,
): ((props: P) => ReactNode) =>
  placeOf(async () => {
    const [component] = await Promise.all([load(), ...styles.map(lateStyle)]);
    return component;
  }, waiting);

function placeOf<P extends object>(load: Load<P>, waiting: ReactNode): (props: P) => ReactNode {
  let loaded: ((props: P) => ReactNode) | null = null;
  return function Later(props: P) {
    const [Component, setComponent] = useState(() => loaded);
    useEffect(() => {
      if (loaded) return;
      void load().then((component) => {
        loaded = component;
        setComponent(() => component);
      });
    }, []);
    return Component ? <Component {...props} /> : waiting;
  };
}
