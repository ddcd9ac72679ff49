import { lazy } from '../../ui/lazy.tsx';

/** Lazy-loaded: most visitors of the page only look at their call. */
export const LazyTimePicker = lazy(async () => ({
  default: (await import('../time-picker.tsx')).TimePicker,
}));
