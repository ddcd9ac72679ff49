import { useHydrated } from '@tanstack/react-router';
import { createIsomorphicFn } from '@tanstack/react-start';
import { useState } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { lazyPiece } from '../../ui/lazy-piece.tsx';
import LivingSystem from './living-system.tsx';

/** The drawing as HTML. Browsers have it in the page, and take over what is there without its code. */
const draw = createIsomorphicFn()
  .server(() => {
    html ??= renderToStaticMarkup(<LivingSystem />);
    return html;
  })
  .client(() => '');
let html: string | undefined;

const Later = lazyPiece(() => import('./living-system.tsx'));

/** Decoration that no first visit loads code for: only a page that a browser draws by itself fetches it. */
export function LivingSystemPiece() {
  const isHydrated = useHydrated();
  const [isOfServer] = useState(!isHydrated);
  if (!isOfServer) return <Later />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing
  return <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: draw() }} />;
}
