/** Paths of the Supabase API, including unsupported paths, which return an error. */
export const API_PATH =
  /^\/((auth|rest|storage|functions|realtime|graphql|analytics)\/v\d+(\/|\?|$)|pg(\/|\?|$)|\.well-known\/[a-z-]+\/auth\/v1(\?|$))/;
