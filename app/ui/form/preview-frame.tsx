import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

/** The tallest that the window is drawn; a longer section scrolls in it. */
const MAX_HEIGHT = 'min(70dvh, 46rem)';

const EMPTY_PAGE = '<!doctype html><html lang="en"><head><title>Preview</title></head><body></body></html>';

interface PreviewFrameProps {
  /** Names the window where there are several. */
  label?: string;
  /** The accent colour that it shows, as rules of tokens; otherwise it has the one of this page. */
  accent?: string;
  /** The theme that it shows; otherwise it has the one of this page. */
  theme?: 'light' | 'dark';
  /** Width of the screen, in its own px; it is drawn smaller to fit. */
  width: number;
  children: ReactNode;
}

/**
 * A window of its own size inside the page, so that media queries and viewport units in it are those of that window.
 * It has the style sheets and the theme of this page; its content is rendered from here.
 */
export function PreviewFrame({ label = 'Preview', accent, theme, width, children }: PreviewFrameProps) {
  const [body, setBody] = useState<HTMLElement | null>(null);
  const room = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLElement>(null);
  const [scale, setScale] = useState(1);
  const [contentHeight, setContentHeight] = useState<number>();

  useEffect(() => {
    if (!room.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setScale(Math.min(1, entry.contentRect.width / width));
    });
    observer.observe(room.current);
    return () => observer.disconnect();
  }, [width]);

  useEffect(() => {
    if (!body || !content.current) return;
    const observer = new ResizeObserver(([entry]) => setContentHeight(entry?.contentRect.height));
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [body]);

  useSameAttributes(body?.ownerDocument.documentElement, theme);
  useAccent(body?.ownerDocument, accent);

  const onLoad = (frame: HTMLIFrameElement) => {
    const inside = frame.contentDocument;
    if (!inside) return;
    const own = accent === undefined ? '' : ':not([data-href="accent"])';
    for (const sheet of document.querySelectorAll(`style${own}, link[rel="stylesheet"]`)) {
      inside.head.append(inside.importNode(sheet, true));
    }
    setBody(inside.body);
  };

  return (
    <div
      ref={room}
      className="overflow-hidden rounded-lg border border-line bg-canvas"
      // A short section leaves no empty room; the window itself keeps its height, on which a section may depend.
      style={{ height: contentHeight ? `min(${contentHeight * scale + 2}px, ${MAX_HEIGHT})` : MAX_HEIGHT }}
    >
      <iframe
        title={label}
        srcDoc={EMPTY_PAGE}
        onLoad={(event) => onLoad(event.currentTarget)}
        className="mx-auto block origin-top-left border-0"
        style={{ width, height: `calc(${MAX_HEIGHT} / ${scale})`, transform: `scale(${scale})` }}
      />
      {body &&
        createPortal(
          <section
            ref={content}
            aria-label={label === 'Preview' ? 'The section' : label}
            onClickCapture={stayHere}
            onSubmitCapture={(event) => event.preventDefault()}
          >
            {children}
          </section>,
          body,
        )}
    </div>
  );
}

/** Gives the root of the frame the attributes of this page's, with its own theme if it has one, whenever they change. */
function useSameAttributes(inside: HTMLElement | undefined, theme: 'light' | 'dark' | undefined): void {
  useEffect(() => {
    if (!inside) return;
    const follow = () => {
      copyAttributes(document.documentElement, inside);
      if (theme) inside.classList.toggle('dark', theme === 'dark');
    };
    follow();
    const observer = new MutationObserver(follow);
    observer.observe(document.documentElement, { attributes: true });
    return () => observer.disconnect();
  }, [inside, theme]);
}

/**
 * Applies an accent by a constructed sheet, because the policy of the page allows no other style that it does not know.
 */
function useAccent(inside: Document | undefined, rules: string | undefined): void {
  useEffect(() => {
    const view = inside?.defaultView;
    if (!view || rules === undefined) return;
    // One of that document: others are refused there.
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(rules);
    inside.adoptedStyleSheets = [sheet];
  }, [inside, rules]);
}

function copyAttributes(from: HTMLElement, to: HTMLElement): void {
  for (const { name } of [...to.attributes]) if (!from.hasAttribute(name)) to.removeAttribute(name);
  for (const { name, value } of from.attributes) {
    if (to.getAttribute(name) === value) continue;
    // The policy of the page refuses the attribute, not the object.
    if (name === 'style') to.style.cssText = value;
    else to.setAttribute(name, value);
  }
}

/** Buttons of the section work, links lead nowhere. */
function stayHere(event: MouseEvent): void {
  // Not `instanceof`: the elements of the frame belong to another window.
  if (!(event.target as Element).closest('a')) return;
  event.preventDefault();
  event.stopPropagation();
}
