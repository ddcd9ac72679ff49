import { lazy } from '../../ui/lazy.tsx';

/** Lazy-loaded, because most visitors to the page do not change the time. */
export const LazyTimePicker = lazy(async () => ({
  default: (await import('../time-picker.tsx')).TimePicker,
}));
