/** Paths served by the Supabase API, including those that it answers with an error. */
export const API_PATH =
  /^\/((auth|rest|storage|functions|realtime|graphql|analytics)\/v\d+(\/|\?|$)|pg(\/|\?|$)|\.well-known\/[a-z-]+\/auth\/v1(\?|$))/;
