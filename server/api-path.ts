/** Addresses that the Supabase API answers, if only to say that it does not offer what clients look for there. */
export const API_PATH =
  /^\/((auth|rest|storage|functions|realtime|graphql|analytics)\/v\d+(\/|\?|$)|pg(\/|\?|$)|\.well-known\/[a-z-]+\/auth\/v1(\?|$))/;
