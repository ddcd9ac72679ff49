import { lazy } from '../../ui/lazy.tsx';

/** Lazy-loaded, because its forms and validation are as large as the rest of the sign-in page. */
export const SecondFactorStep = lazy(async () => ({
  default: (await import('./second-factor-step.tsx')).SecondFactorStep,
}));
