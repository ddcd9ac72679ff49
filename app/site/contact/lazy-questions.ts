import { lazy } from '../../ui/lazy.tsx';

/** Questions and answers. Only contact pages with questions load the code. */
export const LazyQuestions = lazy(() => import('./questions.tsx'), { ssr: true });
