/** Query key of funnels, in its own file to avoid an import cycle. */
export const FUNNEL_KEY = ['client-funnel'];
