import { useStore } from '@nanostores/react';
import zoomIn from 'lucide-static/icons/zoom-in.svg?raw';
import zoomOut from 'lucide-static/icons/zoom-out.svg?raw';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useMessages } from '../../../../platform/text/MessagesContext.tsx';
import { Empty } from '../../../../platform/ui/Empty.tsx';
import { Drawing } from '../../../../platform/ui/Icon.tsx';
import { $connection } from '../../core/panel.store.ts';
import { download } from '../actions.ts';
import { openPath, type Place } from '../address.ts';
import { Crumbs } from '../Crumbs.tsx';
import { go } from '../folder.ts';
import { loadImage } from './load-image.ts';
import { fitted, panned, type View, zoomed } from './zoom.ts';

const pan_px = 40;

/** A picture, enlarged and moved by pointer, wheel and keys. */
export function ImageViewer({ place }: { place: Place }) {
  const { t, number } = useMessages();
  const path = openPath(place)!;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<View | null>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isOpen = useStore($connection) === 'open';
  const isLoaded = size !== null;
  useEffect(() => {
    if (!isOpen || isLoaded) return;
    let isCurrent = true;
    void loadImage(path).then((result) => {
      if (!isCurrent) return;
      setProblem(null);
      if ('problem' in result) return setProblem(result.problem || t('server_files.image_broken'));
      const { width, height } = result;
      Object.assign(canvas.current!, { width, height });
      canvas.current!.getContext('2d')!.drawImage(result, 0, 0);
      result.close();
      setSize({ width, height });
      setView(fitted({ width, height }, frame.current!.getBoundingClientRect()));
    });
    return () => {
      isCurrent = false;
    };
  }, [path, t, isOpen, isLoaded]);
  useWheel(frame, setView);
  const change = (to: (view: View) => View) => setView((now) => now && to(now));
  const showAll = () => size && setView(fitted(size, frame.current!.getBoundingClientRect()));
  return (
    <div className="image-viewer">
      <header className="editor-head">
        <Crumbs path={place.path} file={place.file!} />
        <div className="row wrap">
          <h3>
            <bdi>{place.file}</bdi>
          </h3>
          {size && (
            <span className="meta">
              {t('server_files.pixels', { width: number(size.width), height: number(size.height) })}
            </span>
          )}
          <span className="push row wrap">
            <ZoomButtons view={view} change={change} showAll={showAll} />
            <button className="btn" type="button" onClick={() => void download([path], false)}>
              {t('server_files.download')}
            </button>
            <button className="btn quiet" type="button" onClick={() => go({})}>
              {t('server_files.close')}
            </button>
          </span>
        </div>
      </header>
      {problem !== null ? (
        <Empty title={t('server_files.cannot_show')} text={problem} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a part that is moved by keys, not a set of fields
        <div
          ref={frame}
          className="picture"
          role="group"
          aria-label={t('server_files.picture_keys')}
          aria-busy={size === null}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the picture
          tabIndex={0}
          onPointerMove={(event) => drag(event, change)}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onDoubleClick={showAll}
          onKeyDown={(event) => byKey(event, change, showAll)}
        >
          <canvas
            ref={canvas}
            role="img"
            aria-label={place.file!}
            data-enlarged={view !== null && view.scale > 1}
            style={
              view
                ? { transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }
                : { opacity: 0 }
            }
          />
        </div>
      )}
    </div>
  );
}

type Change = (to: (view: View) => View) => void;

function ZoomButtons({ view, change, showAll }: { view: View | null; change: Change; showAll(): void }) {
  const { t, number } = useMessages();
  const percent = view && t('servers.percent', { number: number(Math.round(view.scale * 100)) });
  return (
    <span className="row tight">
      <span role="status" className="hide">
        {percent}
      </span>
      <button
        className="btn quiet icon"
        type="button"
        aria-label={t('server_files.smaller')}
        onClick={() => change((now) => zoomed(now, -1))}
      >
        <Drawing svg={zoomOut} />
      </button>
      <button className="btn quiet" type="button" onClick={showAll}>
        {percent} <span className="hide">{t('server_files.fit')}</span>
      </button>
      <button
        className="btn quiet icon"
        type="button"
        aria-label={t('server_files.larger')}
        onClick={() => change((now) => zoomed(now, 1))}
      >
        <Drawing svg={zoomIn} />
      </button>
    </span>
  );
}

function drag(event: PointerEvent, change: Change): void {
  if (event.buttons === 1) change((now) => panned(now, event.movementX, event.movementY));
}

function byKey(event: KeyboardEvent, change: Change, showAll: () => void): void {
  const moves: Record<string, (view: View) => View> = {
    ArrowLeft: (now) => panned(now, pan_px, 0),
    ArrowRight: (now) => panned(now, -pan_px, 0),
    ArrowUp: (now) => panned(now, 0, pan_px),
    ArrowDown: (now) => panned(now, 0, -pan_px),
    '+': (now) => zoomed(now, 1),
    '-': (now) => zoomed(now, -1),
  };
  const move = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
  if (move) change(move);
  else if (event.key === '0') showAll();
  else return;
  event.preventDefault();
}

/** React's own listener cannot keep the page from scrolling. */
function useWheel(
  frame: React.RefObject<HTMLDivElement | null>,
  setView: (to: (view: View | null) => View | null) => void,
): void {
  useEffect(() => {
    const element = frame.current;
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      const box = element!.getBoundingClientRect();
      const at = {
        x: event.clientX - box.left - box.width / 2,
        y: event.clientY - box.top - box.height / 2,
      };
      setView((now) => now && zoomed(now, event.deltaY < 0 ? 1 : -1, at));
    };
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  }, [frame, setView]);
}
