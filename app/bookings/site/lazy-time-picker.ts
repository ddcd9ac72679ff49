import { lazy } from '../../ui/lazy.tsx';

/** Loads when a time is chosen: most who open the page look at it only. */
export const LazyTimePicker = lazy(async () => ({
  default: (await import('../time-picker.tsx')).TimePicker,
}));
