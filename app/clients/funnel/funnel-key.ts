/** Query key of funnels, in a separate file to avoid an import cycle. */
export const FUNNEL_KEY = ['client-funnel'];
