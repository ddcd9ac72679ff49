import { lazy } from '../../ui/lazy.tsx';

/** Lazy-loaded, because only contact pages with questions need it. */
export const LazyQuestions = lazy(() => import('./questions.tsx'), { ssr: true });
