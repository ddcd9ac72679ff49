import { lazy } from '../../ui/lazy.tsx';

/** Loads for people who have a second factor: its forms and their rules are as heavy as the rest of signing in. */
export const SecondFactorStep = lazy(async () => ({
  default: (await import('./second-factor-step.tsx')).SecondFactorStep,
}));
