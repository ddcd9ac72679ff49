import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

/** Maximum height. Longer sections scroll. */
const MAX_HEIGHT = 'min(70dvh, 46rem)';

const EMPTY_PAGE = '<!doctype html><html lang="en"><head><title>Preview</title></head><body></body></html>';

interface PreviewFrameProps {
  /** Accessible name. Required if the page has several frames. */
  label?: string;
  /** CSS rules of the accent colour. Defaults to the accent of the page. */
  accent?: string;
  /** Defaults to the theme of the page. */
  theme?: 'light' | 'dark';
  /** Viewport width in px. Scaled down to fit. */
  width: number;
  children: ReactNode;
}

/**
 * iframe with its own viewport, so that media queries and viewport units apply to it. Copies the stylesheets and theme
 * of the page, and renders its children through a portal.
 */
export function PreviewFrame({ label = 'Preview', accent, theme, width, children }: PreviewFrameProps) {
  const [body, setBody] = useState<HTMLElement | null>(null);
  const container = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLElement>(null);
  const [scale, setScale] = useState(1);
  const [contentHeight, setContentHeight] = useState<number>();

  useEffect(() => {
    if (!container.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setScale(Math.min(1, entry.contentRect.width / width));
    });
    observer.observe(container.current);
    return () => observer.disconnect();
  }, [width]);

  useEffect(() => {
    if (!body || !content.current) return;
    const observer = new ResizeObserver(([entry]) => setContentHeight(entry?.contentRect.height));
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [body]);

  useMirroredRootAttributes(body?.ownerDocument.documentElement, theme);
  useAccent(body?.ownerDocument, accent);

  const onLoad = (frame: HTMLIFrameElement) => {
    const frameDocument = frame.contentDocument;
    if (!frameDocument) return;
    const withoutAccent = accent === undefined ? '' : ':not([data-href="accent"])';
    for (const sheet of document.querySelectorAll(`style${withoutAccent}, link[rel="stylesheet"]`)) {
      frameDocument.head.append(frameDocument.importNode(sheet, true));
    }
    setBody(frameDocument.body);
  };

  return (
    <div
      ref={container}
      className="overflow-hidden rounded-lg border border-line bg-canvas"
      // Crops the frame for a short section. The viewport keeps its height, because a section may depend on it.
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
            aria-label={label === 'Preview' ? 'Section preview' : label}
            onClickCapture={cancelLink}
            onSubmitCapture={(event) => event.preventDefault()}
          >
            {children}
          </section>,
          body,
        )}
    </div>
  );
}

/** Mirrors the root attributes of the page, with an optional theme. */
function useMirroredRootAttributes(frameRoot: HTMLElement | undefined, theme: 'light' | 'dark' | undefined): void {
  useEffect(() => {
    if (!frameRoot) return;
    const update = () => {
      copyAttributes(document.documentElement, frameRoot);
      if (theme) frameRoot.classList.toggle('dark', theme === 'dark');
    };
    update();
    const observer = new MutationObserver(update);
    observer.observe(document.documentElement, { attributes: true });
    return () => observer.disconnect();
  }, [frameRoot, theme]);
}

/** Applies an accent with a constructed stylesheet, because the CSP blocks inline styles. */
function useAccent(frameDocument: Document | undefined, rules: string | undefined): void {
  useEffect(() => {
    const view = frameDocument?.defaultView;
    if (!view || rules === undefined) return;
    // Use the frame's constructor, because a document adopts only stylesheets that it constructed.
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(rules);
    frameDocument.adoptedStyleSheets = [sheet];
  }, [frameDocument, rules]);
}

function copyAttributes(from: HTMLElement, to: HTMLElement): void {
  for (const { name } of [...to.attributes]) if (!from.hasAttribute(name)) to.removeAttribute(name);
  for (const { name, value } of from.attributes) {
    if (to.getAttribute(name) === value) continue;
    // The CSP blocks the attribute but not cssText.
    if (name === 'style') to.style.cssText = value;
    else to.setAttribute(name, value);
  }
}

/** Disables links but not buttons. */
function cancelLink(event: MouseEvent): void {
  // `instanceof` fails for elements of another window.
  if (!(event.target as Element).closest('a')) return;
  event.preventDefault();
  event.stopPropagation();
}
