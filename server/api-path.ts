/** Addresses that the Supabase API answers. */
export const API_PATH = /^\/((auth|rest|storage|functions)\/v1(\/|\?|$)|\.well-known\/[a-z-]+\/auth\/v1(\?|$))/;
