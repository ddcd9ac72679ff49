import { lazy } from '../../ui/lazy.tsx';
import type { SignInMethods } from '../enabled-sign-in-methods.ts';

/** Lazy-loaded: most sites have no social login. */
export const OtherSignInMethods = lazy(async () => ({
  default: (await import('./other-sign-in-methods.tsx')).OtherSignInMethods,
}));

export function hasOtherMethods({ providers, wallets }: SignInMethods): boolean {
  return providers.length + wallets.length > 0;
}
