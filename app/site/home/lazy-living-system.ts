import { lazy } from '../../ui/lazy.tsx';

/** Decoration of the hero. The browser loads its code only if it renders the page itself. */
export const LazyLivingSystem = lazy(() => import('./living-system.tsx'), { ssr: true, isStatic: () => true });
