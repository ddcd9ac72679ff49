import { lazy } from '../../ui/lazy.tsx';
import type { WaysToSignIn } from '../offered-ways.ts';

/** Lazy-loaded: most sites have no social login. */
export const OtherSignInMethods = lazy(async () => ({
  default: (await import('./other-sign-in-methods.tsx')).OtherSignInMethods,
}));

export function hasOthers({ providers, wallets }: WaysToSignIn): boolean {
  return providers.length + wallets.length > 0;
}
