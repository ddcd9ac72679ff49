/** Forms of /auth, between which people switch without leaving the page. */
export type AuthScreen = 'sign-in' | 'sign-up' | 'forgot-password' | 'magic-link';
